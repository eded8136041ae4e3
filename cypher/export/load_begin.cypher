// Begins to load an export into an empty graph, and deletes the schedules and the local user that an empty graph has.
// Until the load ends, the lock marks the graph as incomplete. No row if a load has begun already.
// params: $export, $user, $now
// returns: export
// mode: write
MERGE (l:Lock {name: 'import'})
SET l.at = $now
WITH l WHERE l.export IS NULL
SET l.export = $export, l.lines = 0
CALL () {
  MATCH (n:ScheduledJob|MaintenanceRun)
  DETACH DELETE n
}
CALL () {
  MATCH (n:Person {user_id: $user})
  DELETE n
}
RETURN l.export AS export
