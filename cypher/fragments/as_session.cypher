// Converts the session `s` of the chat `c` to what a viewer who takes part there sees of it: from the first to the
// last turn that they may see. There is no row if they may see none.
// expects: s, c
CALL (s, c) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
  // include: viewpoint_in_chat(persona=null)
  // include: visible
  RETURN m.event_time AS first_said ORDER BY m.session_id, m.event_time, m.turn LIMIT 1
}
CALL (s, c) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
  // include: viewpoint_in_chat(persona=null)
  // include: visible
  RETURN m.event_time AS last_said ORDER BY m.session_id DESC, m.event_time DESC, m.turn DESC LIMIT 1
}
WITH *, s {.id, .chat_id, .persona_id, .consolidated_at, started_at: first_said, last_activity_at: last_said,
           ended_at: CASE WHEN s.open_key IS NULL THEN last_said END} AS session
