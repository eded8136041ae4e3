// The migrations applied to this graph, in order (the format of neo4j-migrations).
// params: -
// returns: version, checksum
// mode: read
MATCH (m:__Neo4jMigration) WHERE m.version <> 'BASELINE'
RETURN m.version AS version, m.checksum AS checksum
ORDER BY toInteger(m.version)
