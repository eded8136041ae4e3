// Empties the graph in batches. The schema's own nodes and one other stay. For benchmarks and tests. Uses and then memories go
// first, each with its few relationships: a person of whom many speak would take more of them along than one transaction holds.
// params: $kept
// returns: -
// mode: write
MATCH (n)
WHERE NOT n:__Neo4jMigration AND NOT n:__Neo4jMigrationsLock AND NOT n:EmbeddingSlot
  AND coalesce(n.id, '') <> $kept
WITH n ORDER BY n:Use DESC, n:Memory DESC
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS
