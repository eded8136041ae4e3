// The `$most` most important facts that were found in a session that a worker holds since it was last read for
// contradictions. `others` are up to `$beside` earlier facts about the same entity, of the same scope, persona and
// space, that hold and have another key, the most similar first. Facts that are to be kept from somebody are left out.
// Extends the lease.
// params: $id, $worker, $lease_until, $most, $beside, $now, $no_end
// returns: fact, others
// mode: write
// slots: a, b
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.due_at = $lease_until
WITH s
MATCH (turn:Memory) USING INDEX SEEK turn:Memory(session_id, event_time, turn)
WHERE turn.session_id = s.id AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL
MATCH (turn)<-[:DERIVED_FROM]-(m)
WHERE m.retired_at = $no_end AND m.valid_until > $now AND m.status = 'active' AND m.claim_key IS NOT NULL
  AND m.confided IS NULL AND (s.conflicts_at IS NULL OR m.created_at >= s.conflicts_at)
WITH DISTINCT m ORDER BY m.importance DESC, m.id LIMIT $most
MATCH (m)-[:ABOUT {primary: true}]->(e:Entity)
CALL (m, e) {
  // No label on `other`: with one the planner may read the index of all claims.
  MATCH (e)<-[:ABOUT {primary: true}]-(other)
  WHERE other.scope = m.scope AND other.persona_id = m.persona_id AND other.space_id = m.space_id AND other.claim_key <> m.claim_key
    AND other.retired_at = $no_end AND other.valid_until > $now AND other.status = 'active' AND other.confided IS NULL
    AND (other.created_at < m.created_at OR other.created_at = m.created_at AND other.id < m.id)
    AND NOT EXISTS { (other)-[:CONTRADICTS|SUPERSEDES]-(m) }
  WITH other, CASE WHEN other.embedding_$$slot IS NOT NULL AND m.embedding_$$slot IS NOT NULL
              THEN vector.similarity.cosine(other.embedding_$$slot, m.embedding_$$slot) ELSE 0.0 END AS similarity
  ORDER BY similarity DESC, other.valid_from DESC, other.id LIMIT $beside
  RETURN collect(other {.id, .content, .valid_from}) AS others
}
RETURN m {.id, .content, .valid_from} AS fact, others
