// Sessions by their ids, if the viewer takes part in their chats and may see one of their turns.
// params: $ids
// returns: session
// mode: read

// include: my_chats
UNWIND $ids AS wanted
MATCH (s:Session {id: wanted})-[:IN_CHAT]->(c:Chat) USING INDEX SEEK s:Session(id) WHERE c.id IN my_chats
// include: as_session
RETURN session
