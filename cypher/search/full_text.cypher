// The memories whose words match, best first, as far as the viewer may see them. `asked` counts what the index gave
// before the rule and the filters: fewer than the limit means that there is no more.
// params: $query, $own_query, $limit, $vector
// returns: asked, found
// mode: read
// slots: a, b

// include: here
CALL (place) {
  // Who takes no part in the chat gets no answer from its scope, and none that takes longer for it.
  WITH CASE WHEN place.takes_part THEN $query ELSE $own_query END AS query
  CALL db.index.fulltext.queryNodes('memory_fulltext', query, {limit: $limit}) YIELD node, score
  // A word that the analyzer drops leaves only the filters, which score nothing: that is no match.
  WHERE score > 0
  RETURN collect({memory: node, score: score}) AS hits
}
CALL (hits, place) {
  UNWIND hits AS hit
  WITH hit.memory AS m, hit.score AS score, place
  // include: visible
  // include: matching
  WITH m, score, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine
  // include: candidates
}
RETURN size(hits) AS asked, found
