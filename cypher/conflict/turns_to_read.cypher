// The turns that are to be read for retractions of a session that a worker holds: its own, and, for each of the `$facts`
// most important facts that were found in it since it was last read, up to `$most` later turns of the fact's speaker in
// other sessions that were read before, the most similar first. So a fact that is found late is still retracted. In
// the order of time.
// params: $id, $worker, $facts, $most, $least, $now
// returns: id
// mode: read
// slots: a, b
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
CALL (s) {
  MATCH (turn:Memory) USING INDEX SEEK turn:Memory(session_id, event_time, turn)
  WHERE turn.session_id = s.id AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL AND turn.source_role = 'user'
  RETURN turn
UNION
  MATCH (own:Memory) USING INDEX SEEK own:Memory(session_id, event_time, turn)
  WHERE own.session_id = s.id AND own.event_time IS NOT NULL AND own.turn IS NOT NULL
  MATCH (own)<-[:DERIVED_FROM]-(fact)
  WHERE fact.live_key IS NOT NULL AND fact.frame IS NOT NULL AND fact.embedding_$$slot IS NOT NULL
    AND (s.conflicts_at IS NULL OR fact.created_at >= s.conflicts_at)
  WITH s, fact, max(own.event_time) AS told ORDER BY fact.importance DESC, fact.id LIMIT $facts
  CALL (s, fact, told) {
    MATCH (near:Memory)
    SEARCH near IN (
      VECTOR INDEX memory_vector_$$slot FOR fact.embedding_$$slot
      WHERE near.scope = fact.scope AND near.space_id = fact.space_id AND near.speaker_id = fact.speaker_id
        AND near.type = 'episodic' AND near.status = 'active' AND near.event_time > told AND near.retired_at > $now
        AND near.expires_at > $now
      LIMIT 50
    ) SCORE AS nearness
    WITH s, fact, near WHERE near.session_id <> s.id AND near.title IS NULL AND near.confided IS NULL
    WITH near, 2 * vector.similarity.cosine(near.embedding_$$slot, fact.embedding_$$slot) - 1 AS cosine
    WHERE cosine >= $least
    MATCH (read:Session {id: near.session_id})
    WHERE read.conflicts_at IS NOT NULL OR read.job = 'find_conflicts' AND read.worker IS NOT NULL
    RETURN near AS turn ORDER BY cosine DESC, near.id LIMIT $most
  }
  RETURN turn
}
RETURN turn.id AS id ORDER BY turn.event_time, turn.turn, turn.id
