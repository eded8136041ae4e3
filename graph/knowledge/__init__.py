"""What the graph learns from talk: vectors and names, facts, entity resolution, near-duplicates.

Text analysis belongs to `nlp`; queues and retries belong to `graph.jobs`.
"""
