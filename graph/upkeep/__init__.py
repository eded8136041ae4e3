"""Upkeep: scheduled maintenance of all memories (T7, T8). It retires expired and faded memories, archives, raises
importance, and queues work for other jobs.

`schedule` reads cron expressions, `steps` defines the steps, `jobs` lists the scheduled jobs, and `upkeep` runs them:
on the job queue, in batches inside the database, once for any number of processes. The work of the steps on entities
and facts is in `graph.knowledge`.
"""
