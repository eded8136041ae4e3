// The memories whose words match, best first, as far as the viewer may see them. `$query` searches the viewer's own
// scope and what was said here, `$far_query` what is told of people elsewhere. `more` says that the index returned as
// many hits for `$query` as its limit.
// params: $query, $far_query, $limit, $depth, $elsewhere, $vector
// returns: more, found
// mode: read
// slots: a, b

// include: viewpoint_of_request
CALL () {
  CALL db.index.fulltext.queryNodes('memory_fulltext', $query, {limit: $limit}) YIELD node, score
  // If the analyzer drops all words, only the filters remain, which add no score: such a hit is no match.
  WHERE score > 0
  RETURN collect({memory: node, score: score}) AS near
}
CALL () {
  CALL db.index.fulltext.queryNodes('memory_fulltext', $far_query, {limit: $limit / 3}) YIELD node, score
  WHERE score > 0
  RETURN collect({memory: node, score: score}) AS far
}
CALL (near, far, viewpoint) {
  UNWIND near + far AS hit
  WITH hit.memory AS m, hit.score AS score, viewpoint
  // include: visible
  // include: matching
  // include: query_cosine
  // include: cut_lists
  // include: candidates
}
RETURN size(near) >= $limit AS more, found
