// Deletes all nodes in batches, except those of the schema and the one with the id `$kept`. For benchmarks and tests.
// Uses and then memories are deleted first, each with its few relationships: a person of whom many memories tell would
// take along more of them than one transaction can hold.
// params: $kept
// returns: -
// mode: write
MATCH (n)
WHERE NOT n:__Neo4jMigration AND NOT n:__Neo4jMigrationsLock AND NOT n:EmbeddingSlot
  AND coalesce(n.id, '') <> $kept
WITH n ORDER BY n:Use DESC, n:Memory DESC
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS
