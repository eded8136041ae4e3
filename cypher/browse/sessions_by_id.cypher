// Sessions by their ids, as far as the viewer takes part in their chats.
// params: $ids
// returns: session
// mode: read

// include: my_chats
MATCH (s:Session) WHERE s.id IN $ids AND s.chat_id IN my_chats
RETURN s {.id, .chat_id, .persona_id, .started_at, .last_activity_at, .ended_at, .turn_count} AS session
