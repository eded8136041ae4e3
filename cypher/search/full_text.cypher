// The memories whose words match, best first, as far as the viewer may see them: what `$query` finds, which looks in the
// viewer's own scope and in what was said here, and what `$far_query` finds, which looks in what is told of people
// elsewhere. There is `more` when the index gave as many as it may for the first.
// params: $query, $far_query, $limit, $depth, $elsewhere, $vector
// returns: more, found
// mode: read
// slots: a, b

// include: viewpoint_of_request
CALL () {
  CALL db.index.fulltext.queryNodes('memory_fulltext', $query, {limit: $limit}) YIELD node, score
  // A word that the analyzer drops leaves only the filters, which score nothing: that is no match.
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
