// A page of the turns of a session in order, after the turn with the time `$after` and the id `$after_id`.
// params: $session, $after, $after_id, $limit
// returns: memory, pending, entities
// mode: read

// include: my_chats
MATCH (s:Session {id: $session})-[:IN_CHAT]->(c:Chat) USING INDEX SEEK s:Session(id) WHERE c.id IN my_chats
OPTIONAL MATCH (last:Memory {id: $after_id}) WHERE last.session_id = s.id AND last.event_time = $after
WITH c, coalesce(last.turn, 0) AS after_turn
// include: viewpoint_in_chat(persona=null)
// A separate subquery keeps the order of the index up to the limit.
CALL (viewpoint, after_turn) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = $session AND m.event_time >= $after AND m.turn IS NOT NULL
    AND CASE m.event_time WHEN $after THEN m.turn > after_turn ELSE true END
  // include: visible
  RETURN m ORDER BY m.session_id, m.event_time, m.turn LIMIT $limit
}
// include: as_memory
ORDER BY m.event_time, m.turn
