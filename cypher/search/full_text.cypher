// The memories whose words match, best first, with their place among what the viewer may see. `asked` counts what
// the index gave before the rule and the filters: fewer than the limit means that there is no more.
// params: $query, $own_query, $limit
// returns: asked, found
// mode: read

// include: here
CALL (takes_part) {
  // Who takes no part in the chat gets no answer from its scope, and none that takes longer for it.
  WITH CASE WHEN takes_part THEN $query ELSE $own_query END AS query
  CALL db.index.fulltext.queryNodes('memory_fulltext', query, {limit: $limit}) YIELD node, score
  RETURN collect({memory: node, score: score}) AS hits
}
CALL (hits, takes_part) {
  UNWIND hits AS hit
  WITH hit.memory AS m, hit.score AS score
  // include: visible
  // include: matching
  WITH m, score ORDER BY score DESC, m.id
  RETURN collect({id: m.id, score: score}) AS found
}
RETURN size(hits) AS asked, found
