"""The package as it is imported: the folders `api`, `cypher`, `graph` and `nlp` of the repository, by links."""
