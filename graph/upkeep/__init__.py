"""Upkeep: what is done to all memories by a schedule (T7, T8): retiring what ran out or faded, archiving, growing, and
queueing what other jobs are then to do.

`schedule` reads cron expressions, `steps` are the steps, `jobs` names which there are, and `upkeep` does them: on the
one queue, in batches inside the database, once however many processes there are. What the steps for entities and facts
do is in `graph.knowledge`.
"""
