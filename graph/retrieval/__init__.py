"""Search: whom it concerns, retrievers, fusion, ranking and relevance; and memories by their ids.

Every read passes the rule of `graph.access`. Nothing here writes memories.
"""
