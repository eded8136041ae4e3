// Queues the entities in the turns of a session, and in the facts extracted from these, for a summary in each scope in
// which at least `$least` memories name them or are about them.
// params: $id, $least, $now, $no_end
// returns: queued
// mode: write
MATCH (turn:Memory) USING INDEX SEEK turn:Memory(session_id, event_time, turn)
WHERE turn.session_id = $id AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL
CALL (turn) {
  RETURN turn AS m
UNION
  MATCH (turn)<-[:DERIVED_FROM]-(m:Memory)
  RETURN m
}
MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity)
WITH DISTINCT e, m.scope AS scope, m.persona_id AS persona, m.chat_id AS chat, m.space_id AS space
WHERE COUNT {
  MATCH (e)<-[:ABOUT|MENTIONS]-(named:Memory)
  WHERE named.scope = scope AND named.persona_id = persona AND named.space_id = space AND named.retired_at = $no_end
    AND named.status = 'active'
  RETURN DISTINCT named LIMIT $least
} >= $least
// All workers take the locks in the same order.
WITH e, scope, persona, chat, space ORDER BY e.id, scope, persona, space
// include: profile_queued(scope=scope, persona=persona, chat=chat, space=space)
RETURN count(profile) AS queued
