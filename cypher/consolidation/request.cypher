// Asks for a session to be consolidated as it is now, if the viewer takes part in its chat and may see one of its
// turns.
// params: $id
// returns: session
// mode: write

// include: my_chats
MATCH (s:Session {id: $id})-[:IN_CHAT]->(c:Chat) WHERE c.id IN my_chats
// include: as_session
SET s.asked = true, s.unconsolidated = true
// include: session_queued(session=s, job='consolidate', due_at=$now)
RETURN session
