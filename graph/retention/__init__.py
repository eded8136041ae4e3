"""Decay and reinforcement of memories: strength, stability, decaying confidence, recall (T1, T2, T4, T6).

`strength` and `confidence` are pure functions of a memory's stored values and the time that has passed, so that a read
is right however long ago a job last ran. Days are units of 24 hours, with fractions. Jobs that retire and archive are
in `graph.upkeep`.
"""
