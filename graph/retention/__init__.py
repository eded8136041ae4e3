"""How memories fade: strength and stability, and the confidence that decays (T1, T2).

Pure functions of what a memory stores and of the time that has passed, so that a read is right however long ago a job
last ran. Reads and jobs that use them are elsewhere. Days are numbers of 24 hours, with fractions.
"""
