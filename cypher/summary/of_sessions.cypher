// The latest summary of each of these sessions, if the viewer takes part in its chat and may see all sources of the
// summary.
// params: $sessions
// returns: session, summary
// mode: read

// include: my_chats
UNWIND $sessions AS id
MATCH (s:Session {id: id})-[:IN_CHAT]->(c:Chat) WHERE c.id IN my_chats
CALL (s, c) {
  MATCH (s)<-[:SUMMARIZES]-(m:SessionSummary)
  // include: viewpoint_in_chat(persona=null)
  // include: visible
  WITH m ORDER BY m.created_at DESC, m.id DESC LIMIT 1
  RETURN m
}
// include: as_summary
RETURN s.id AS session, summary
