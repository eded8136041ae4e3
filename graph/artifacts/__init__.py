"""Java artifacts that a lock names: the jars of Neo4j and the embedding model, fetched once and verified."""
