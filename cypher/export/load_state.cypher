// The import that is not done yet, and what else is in the graph: a label of anything but the schema, its locks and
// schedules, and the person of the account `$user` of whom nothing is known.
// params: $user
// returns: export, lines, label
// mode: read
OPTIONAL MATCH (l:Lock {name: 'import'})
OPTIONAL CALL () {
  MATCH (n)
  WHERE NOT n:__Neo4jMigration AND NOT n:__Neo4jMigrationsLock AND NOT n:EmbeddingSlot AND NOT n:Lock
    AND NOT n:ModelUse AND NOT n:ScheduledJob AND NOT n:MaintenanceRun
    AND NOT (n:Person AND coalesce(n.user_id = $user, false) AND NOT EXISTS { (n)--() })
  RETURN labels(n)[0] AS label LIMIT 1
}
RETURN l.export AS export, l.lines AS lines, label
