"""Reads that are no search: lists, the archive, explanations, uses, counts, communities, what changed.

Every read passes the rule of `graph.access`. Nothing here writes memories.
"""
