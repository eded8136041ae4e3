// A page of earlier wordings. Only those of memories that the viewer may see (export/seen.Memory) have labels.
// params: $of_space, $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL () { MATCH (candidate:Version) WHERE candidate.id > $after RETURN candidate ORDER BY candidate.id LIMIT $limit }
OPTIONAL CALL (candidate, my_chats, my_groups) {
  MATCH (m:Memory)-[:HAS_VERSION]->(candidate) WHERE $of_space IS NULL OR m.space_id = $of_space
  // include: visible_somewhere
  RETURN candidate AS seen
}
// include: exported_seen(of=candidate)
