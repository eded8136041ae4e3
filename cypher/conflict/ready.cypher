// The claimed sessions that can be read for contradictions. A session with facts that are not yet embedded waits: it
// goes back on the queue, due `$later`.
// params: $ids, $worker
// returns: id
// mode: write
UNWIND $ids AS id
MATCH (s:Session {id: id}) WHERE s.worker = $worker
WITH s, NOT EXISTS {
  MATCH (turn:Memory) USING INDEX SEEK turn:Memory(session_id, event_time, turn)
  WHERE turn.session_id = s.id AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL
  MATCH (turn)<-[:DERIVED_FROM]-(:Memory:Pending)
} AS ready
// include: ready_kept
RETURN s.id AS id
