// Keeps a session that is being read a while longer.
// params: $id, $worker, $lease_until
// returns: id
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.due_at = $lease_until
RETURN s.id AS id
