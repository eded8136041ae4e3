// The request of the summary of a session, for a viewer who takes part in its chat and may see one of its turns.
// params: $id
// returns: request
// mode: read

// include: my_chats
MATCH (s:Session {id: $id})-[:IN_CHAT]->(c:Chat) USING INDEX SEEK s:Session(id) WHERE c.id IN my_chats
// include: as_session
RETURN {line: 'session|' + session.id, kind: 'session', scope: c.scope, persona_id: session.persona_id,
        chat_id: CASE c.kind WHEN 'group' THEN c.id ELSE '' END, space_id: c.space_id, session_id: session.id, until: session.last_activity_at} AS request
