// Begins to load an export into an empty graph. Deletes the schedules and the local user that an empty graph has. The lock
// stays until the end: the graph is not whole while it is there.
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
