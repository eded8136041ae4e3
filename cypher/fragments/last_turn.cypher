// The last turn `m` for which $$wanted holds, in the chats in which the viewer takes part, as $$name; null if there is
// none.
// expects: my_chats (fragment my_chats)
// takes: wanted, name
// params: $persona
CALL (my_chats) {
  UNWIND my_chats AS chat
  MATCH (c:Chat {id: chat})
  CALL (c) {
    MATCH (m:Memory) USING INDEX SEEK m:Memory(learned_in, event_time, id)
    WHERE m.learned_in = c.id AND m.event_time IS NOT NULL AND m.id IS NOT NULL
      AND m.turn IS NOT NULL AND m.persona_id = $persona AND $$wanted
    // include: viewpoint_in_chat(persona=null)
    // include: visible
    RETURN m ORDER BY m.learned_in DESC, m.event_time DESC, m.id DESC LIMIT 1
  }
  WITH m ORDER BY m.event_time DESC, m.id DESC LIMIT 1
  RETURN collect(m {.id, .event_time, .content})[0] AS $$name
}
