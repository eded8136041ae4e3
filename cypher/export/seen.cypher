// A page of memories or summaries with the label of the slot, in the order of their ids, of any time, archived or not.
// Only those that the viewer may see have labels: each is judged where the viewer sees most of it, at a time when it
// held. With `$of_space`, only those of that space have labels.
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
