// What was said in a chat within a period, in order of time, after a position in the list: of all personas (`$persona`
// is null), or of one and of none.
// params: $chat, $persona, $time, $id, $limit
// returns: memory, pending, entities
// mode: read

// include: my_chats
MATCH (c:Chat {id: $chat}) WHERE c.id IN my_chats
// include: viewpoint_in_chat(persona=$persona)
// A subquery of its own, so that the order of the index is used up to the limit.
CALL (viewpoint) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(learned_in, event_time, id)
  WHERE m.learned_in = $chat AND m.event_time >= $time AND m.id IS NOT NULL
    AND CASE m.event_time WHEN $time THEN m.id > $id ELSE true END AND ($persona IS NULL OR m.persona_id IN ['', $persona])
  // include: in_period
  // include: visible
  RETURN m ORDER BY m.learned_in, m.event_time, m.id LIMIT $limit
}
// include: as_memory
ORDER BY m.event_time, m.id
