"""What the graph learns from talk: vectors and names, facts, entity linking, merging, near-duplicates.

Text analysis belongs to `nlp`; queues and retries belong to `graph.jobs`.
"""
