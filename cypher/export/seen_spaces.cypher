// A page of the spaces that the viewer may use.
// params: $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL (my_chats, my_groups) {
  UNWIND [$viewer] + my_groups AS scope
  MATCH (s:Space {scope: scope}) WHERE s.id > $after
  // include: my_space
  RETURN s AS seen ORDER BY s.id LIMIT $limit
}
// include: exported_seen(of=seen)
