// A page of memories or summaries with the label of the slot, of whatever time and archived or not, with what the viewer
// may see of them: each judged where they see most of it, at a time when it held; in the order of their ids from a place
// on; of one space alone, where one is given.
// params: $of_space, $after, $limit
// returns: id, labels, times, values
// mode: read
// slots: Memory, RollingSummary, SummarySpine, GraphAnalysis

// include: my_chats
CALL () { MATCH (candidate:$$slot) WHERE candidate.id > $after RETURN candidate ORDER BY candidate.id LIMIT $limit }
OPTIONAL CALL (candidate, my_chats, my_groups) {
  WITH candidate AS m, my_chats, my_groups WHERE $of_space IS NULL OR candidate.space_id = $of_space
  // include: visible_somewhere
  RETURN m AS seen
}
// include: exported_seen(of=candidate)
