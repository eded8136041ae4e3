// The turns of a session in order, from a place in the list on.
// params: $session, $after, $after_turn, $limit
// returns: memory, pending, entities
// mode: read

// include: my_chats
MATCH (s:Session {id: $session})-[:IN_CHAT]->(c:Chat) WHERE c.id IN my_chats
MATCH (m:Memory) USING INDEX m:Memory(session_id, event_time, turn)
WHERE m.session_id = s.id AND m.event_time >= $after AND m.turn IS NOT NULL
  AND (m.event_time > $after OR m.turn > $after_turn)
// include: inside
// include: visible
WITH m ORDER BY m.session_id, m.event_time, m.turn LIMIT $limit
// include: as_memory
ORDER BY m.event_time, m.turn
