"""A Neo4j that needs nothing installed: its jars, its Java, its process. Knows nothing of what is stored in it."""
