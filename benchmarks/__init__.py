"""The benchmarks of `hippograph bench`. They run on a Neo4j of their own and never touch the user's graph.

They are not part of the package: they need a checkout of the repository.
"""
