// The memories whose words match, best first, as far as the viewer may see them. There is `more` when the index gave as
// many as it may.
// params: $query, $limit, $depth, $vector
// returns: more, found
// mode: read
// slots: a, b

// include: viewpoint_of_request
CALL () {
  CALL db.index.fulltext.queryNodes('memory_fulltext', $query, {limit: $limit}) YIELD node, score
  // A word that the analyzer drops leaves only the filters, which score nothing: that is no match.
  WHERE score > 0
  RETURN collect({memory: node, score: score}) AS hits
}
CALL (hits, viewpoint) {
  UNWIND hits AS hit
  WITH hit.memory AS m, hit.score AS score, viewpoint
  // include: visible
  // include: matching
  WITH m, score LIMIT $depth
  WITH m, score, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine
  // include: candidates
}
RETURN size(hits) >= $limit AS more, found
