// Notes why a session could not be worked out: it is tried again at `due_at`, or with none given put aside as failed.
// params: $id, $worker, $reason, $due_at, $now
// returns: id
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.failure = $reason, s.due_at = $due_at, s.failed_at = CASE WHEN $due_at IS NULL THEN $now END
REMOVE s.worker, s.claim_lock
RETURN s.id AS id
