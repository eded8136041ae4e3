// A page of the archived memories whose words match, best first, as far as the viewer may see them: those behind
// `$after` or, if that is not in the archive any more, the first. `more` is true if the index returned `$limit` hits, so
// that there may be others. An archived memory has the label Archived beside Memory, and the status `archived`, by which
// the rule keeps it out of every other read.
// params: $query, $limit, $most, $after
// returns: more, found
// mode: read

// include: viewpoint_of_request
WITH viewpoint {.*, status: 'archived'} AS viewpoint
CALL () {
  CALL db.index.fulltext.queryNodes('archived_fulltext', $query, {limit: $limit}) YIELD node, score
  // If the analyzer drops all words, only the filters are left, which score 0: that is no match.
  WHERE score > 0
  RETURN collect({memory: node, score: score}) AS hits
}
CALL (hits) {
  UNWIND hits AS hit
  WITH hit WHERE hit.memory.id = $after
  RETURN max(hit.score) AS last_score
}
// Until all hits are read, the last memory may be among the rest.
WITH *, $after = '' OR last_score IS NULL AND size(hits) < $limit AS anew
CALL (hits, viewpoint, last_score, anew) {
  UNWIND hits AS hit
  WITH hit.memory AS m, hit.score AS score, viewpoint, last_score, anew
  WHERE anew OR score < last_score OR score = last_score AND m.id > $after
  // include: visible
  WITH m, viewpoint, score ORDER BY score DESC, m.id LIMIT $most
  // include: memory_values
  WITH * ORDER BY score DESC, m.id
  RETURN collect({memory: memory, pending: pending, entities: entities}) AS found
}
RETURN size(hits) >= $limit AS more, found
