// Creates the full-text index over entities.
// params: options
// returns: -
// mode: write
CREATE FULLTEXT INDEX entity_fulltext IF NOT EXISTS
FOR (e:Entity) ON EACH [e.canonical_name, e.aliases, e.names]
OPTIONS $options
