// The sessions of a chat, the last begun first, from a place in the list on.
// params: $chat, $before, $before_id, $limit
// returns: session
// mode: read

// include: my_chats
WITH my_chats WHERE $chat IN my_chats
MATCH (s:Session) USING INDEX s:Session(chat_id, persona_id, started_at)
WHERE s.chat_id = $chat AND s.persona_id IS NOT NULL AND s.started_at IS NOT NULL
WITH s WHERE s.started_at < $before OR s.started_at = $before AND s.id < $before_id
RETURN s {.id, .chat_id, .persona_id, .started_at, .last_activity_at, .ended_at, .turn_count} AS session
ORDER BY s.started_at DESC, s.id DESC LIMIT $limit
