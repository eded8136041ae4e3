"""What `hippograph bench` measures, on a Neo4j of its own: nothing here ever touches the user's graph.

No part of the package: it needs a checkout of the repository.
"""
