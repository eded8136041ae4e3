// The number of turns of each session that the viewer may see, if they take part in its chat and it is not 0.
// params: $ids
// returns: id, turns
// mode: read

// include: my_chats
UNWIND $ids AS wanted
MATCH (s:Session {id: wanted})-[:IN_CHAT]->(c:Chat) WHERE c.id IN my_chats
MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
// include: viewpoint_in_chat(persona=null)
// include: visible
RETURN s.id AS id, count(m) AS turns
