// A page of the memories learned in a chat, newest first: of all personas (null), or of one and of none.
// params: $chat, $persona, $until, $until_id, $limit
// returns: memory, pending, entities
// mode: read

// include: my_chats
MATCH (c:Chat {id: $chat}) WHERE c.id IN my_chats
// include: viewpoint_in_chat(persona=$persona)
// A separate subquery keeps the order of the index up to the limit.
CALL (viewpoint) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(learned_in, event_time, id)
  WHERE m.learned_in = $chat AND m.event_time <= $until AND m.id IS NOT NULL
    AND CASE m.event_time WHEN $until THEN m.id < $until_id ELSE true END
  // include: visible
  RETURN m ORDER BY m.learned_in DESC, m.event_time DESC, m.id DESC LIMIT $limit
}
// include: as_memory
ORDER BY m.event_time DESC, m.id DESC
