// Whether the graph holds nothing but what migrations note of themselves.
// params: -
// returns: empty
// mode: read
RETURN NOT EXISTS { MATCH (n) WHERE NOT n:__Neo4jMigration AND NOT n:__Neo4jMigrationsLock } AS empty
