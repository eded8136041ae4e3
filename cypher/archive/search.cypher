// The archived memories whose words match, best first, from a place in the list on, as far as the viewer may see them. There
// is `more` when the index gave as many as it may. What is archived carries the label Archived beside Memory, and the
// status `archived`: by that the rule keeps it out of every other read.
// params: $query, $limit, $most, $after
// returns: more, found
// mode: read

// include: viewpoint_of_request
WITH viewpoint {.*, status: 'archived'} AS viewpoint
CALL () {
  CALL db.index.fulltext.queryNodes('archived_fulltext', $query, {limit: $limit}) YIELD node, score
  // A word that the analyzer drops leaves only the filters, which score nothing: that is no match.
  WHERE score > 0
  RETURN collect({memory: node, score: score}) AS hits
}
CALL (hits) {
  UNWIND hits AS hit
  WITH hit WHERE hit.memory.id = $after
  RETURN max(hit.score) AS last_score
}
CALL (hits, viewpoint, last_score) {
  UNWIND hits AS hit
  WITH hit.memory AS m, hit.score AS score, viewpoint, last_score
  WHERE $after = '' OR score < last_score OR score = last_score AND m.id > $after
  // include: visible
  WITH m, viewpoint, score ORDER BY score DESC, m.id LIMIT $most
  // include: memory_values
  WITH * ORDER BY score DESC, m.id
  RETURN collect({memory: memory, pending: pending, entities: entities}) AS found
}
RETURN size(hits) >= $limit AS more, found
