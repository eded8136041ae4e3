// Which of the claimed sessions can be consolidated. One that is to be read whole waits until the names in all its turns
// were found: it goes back on the queue, due `$later`.
// params: $ids, $worker, $later, $no_end
// returns: id
// mode: write
UNWIND $ids AS id
MATCH (s:Session {id: id}) WHERE s.worker = $worker
WITH s, (s.ended_at = $no_end AND s.asked IS NULL) OR NOT EXISTS {
  MATCH (turn:Pending {session_id: s.id}) USING INDEX SEEK turn:Pending(session_id) WHERE turn:Memory
} AS ready
FOREACH (early IN CASE WHEN ready THEN [] ELSE [s] END |
  SET early.due_at = $later, early.attempts = early.attempts - 1
  REMOVE early.worker
)
WITH s, ready WHERE ready
RETURN s.id AS id
