"""A Neo4j that needs nothing installed: its Java, process and data folder. Knows nothing of what is stored in it."""
