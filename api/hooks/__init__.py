"""Memory that fills unasked: the hooks of coding agents, and what a service records of the sessions that they tell of.

A hook opens neither database nor model. It keeps a note of its session in the data folder, and a running service reads
the transcript that the note names. `projects` and `receiving` run at each hook and import the standard library almost
alone.
"""
