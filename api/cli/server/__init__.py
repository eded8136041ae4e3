"""Commands that run the service and look after its graph and its Neo4j."""
