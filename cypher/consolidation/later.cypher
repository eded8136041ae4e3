// Gives a session back for a moment: its turns are not ready.
// params: $id, $worker, $due_at
// returns: id
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.due_at = $due_at
REMOVE s.worker, s.claim_lock, s.attempts
RETURN s.id AS id
