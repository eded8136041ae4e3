"""How memories fade, and what keeps them: strength, stability, confidence that decays, recall (T1, T2, T4, T6).

`strength` and `confidence` are pure functions of what a memory stores and of the time that has passed, so that a read
is right however long ago a job last ran. Days are numbers of 24 hours, with fractions. Jobs that retire and archive are
in `graph.upkeep`.
"""
