// The unfinished import, and a `label` of something that the graph holds; null if the graph is empty. Not counted are
// the schema, locks, schedules, the use of models, and the person of the account `$user` if nothing is linked to them.
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
