// A page of the viewer's todos. Only those they may see have labels.
// params: $viewer, $of_space, $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL () {
  MATCH (candidate:Todo) WHERE candidate.id > $after AND candidate.person_id = $viewer
  RETURN candidate ORDER BY candidate.id LIMIT $limit
}
OPTIONAL CALL (candidate, my_chats, my_groups) {
  WITH candidate AS t, my_chats, my_groups WHERE $of_space IS NULL OR candidate.space_id = $of_space
  // include: shown_todo
  RETURN t AS seen
}
// include: exported_seen(of=candidate)
