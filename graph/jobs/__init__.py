"""Work that is done later or on the whole graph: the queue, the runner of jobs, the doctor, preflight, wiping.

What a job does belongs elsewhere (`graph.knowledge`). A job whose items wait in the graph is a `runner.QueueJob`; one
that is done every so often is a `runner.Periodic`. A scheduled job is an item that is due again when it is done.
"""
