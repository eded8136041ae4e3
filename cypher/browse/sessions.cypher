// A page of the sessions of a chat in which the viewer may see a turn, the last begun first. The first turn that they
// see is never before `started_at`, so the index can be searched by it.
// params: $chat, $until, $until_id, $limit
// returns: session
// mode: read

// include: my_chats
MATCH (c:Chat {id: $chat}) WHERE c.id IN my_chats
MATCH (s:Session) USING INDEX SEEK s:Session(chat_id, persona_id, started_at)
WHERE s.chat_id = $chat AND s.persona_id IS NOT NULL AND s.started_at <= $until
// include: as_session
WITH session WHERE session.started_at < $until OR session.started_at = $until AND session.id < $until_id
RETURN session ORDER BY session.started_at DESC, session.id DESC LIMIT $limit
