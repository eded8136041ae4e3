"""What comes out of the graph: search, its scope and its fusion, lists, cards, explanations, counts.

Every read passes the rule of `graph.access`. Nothing here writes memories.
"""
