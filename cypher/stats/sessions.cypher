// Counts the sessions of the viewer's chats that wait for consolidation, and returns when one was last consolidated:
// only sessions of which they may see a turn.
// params: -
// returns: waiting, last_consolidated
// mode: read

// include: my_chats
MATCH (s:Session)-[:IN_CHAT]->(c:Chat) WHERE c.id IN my_chats AND (s:Pending OR s.consolidated_at IS NOT NULL)
CALL (s, c) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
  // include: viewpoint_in_chat(persona=null)
  // include: visible
  RETURN m AS turn LIMIT 1
}
RETURN count(CASE WHEN s:Pending THEN 1 END) AS waiting, max(s.consolidated_at) AS last_consolidated
