// A page of summaries of the latest talk with what the viewer may see of them: each judged where they
// see most of it, at a time when it held; in the order of their ids from a place on.
// params: $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL () { MATCH (candidate:RollingSummary) WHERE candidate.id > $after RETURN candidate ORDER BY candidate.id LIMIT $limit }
OPTIONAL CALL (candidate, my_chats, my_groups) {
  WITH candidate AS m, my_chats, my_groups
  // include: exported_memory
  RETURN m AS seen
}
// include: exported_seen(of=candidate)
