"""Retrievers: each finds memories in one way and gives them as one ranked list; `retriever` says what all share.

A new one is a module here and a name in `graph.retrieval.profiles`. How lists become one is fusion's matter.
"""
