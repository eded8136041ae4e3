// A page of the chats in which the viewer takes part.
// params: $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL (my_chats) {
  UNWIND my_chats AS mine
  MATCH (c:Chat {id: mine}) WHERE c.id > $after
  RETURN c AS seen ORDER BY c.id LIMIT $limit
}
// include: exported_seen(of=seen)
