// The claimed sessions that can be consolidated. A session that is to be read whole waits until the names in all its
// turns were found: it goes back on the queue, due `$later`.
// params: $ids, $worker, $no_end
// returns: id
// mode: write
UNWIND $ids AS id
MATCH (s:Session {id: id}) WHERE s.worker = $worker
WITH s, (s.ended_at = $no_end AND s.asked IS NULL) OR NOT EXISTS {
  MATCH (turn:Pending {session_id: s.id}) USING INDEX SEEK turn:Pending(session_id) WHERE turn:Memory
} AS ready
// include: ready_kept
RETURN s.id AS id
