// Empties the graph in batches. The schema's own nodes and one other stay. For benchmarks and tests.
// params: $kept
// returns: -
// mode: write
MATCH (n)
WHERE NOT n:__Neo4jMigration AND NOT n:__Neo4jMigrationsLock AND NOT n:EmbeddingSlot
  AND coalesce(n.id, '') <> $kept
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS
