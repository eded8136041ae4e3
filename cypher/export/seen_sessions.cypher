// A page of sessions. Only those of the viewer's chats with a turn that they may see have labels, as they see them.
// params: $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL () { MATCH (candidate:Session) WHERE candidate.id > $after RETURN candidate ORDER BY candidate.id LIMIT $limit }
OPTIONAL CALL (candidate, my_chats, my_groups) {
  MATCH (candidate)-[:IN_CHAT]->(c:Chat) WHERE c.id IN my_chats
  WITH c, candidate AS s
  // include: as_session
  RETURN session AS seen
}
WITH candidate.id AS id, seen, CASE WHEN seen IS NOT NULL THEN ['Session'] END AS labels ORDER BY id
RETURN id, labels,
       // include: exported_properties(of=seen)
