"""The domain: what memories are, who may see them, how they are written, found and kept; and the local server.

It uses `cypher` for every statement and `nlp` for what texts say. It knows nothing of GraphQL, HTTP or settings
files: those are `api`.
"""
