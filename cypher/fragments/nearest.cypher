// Of the memories that searches of the vector index gave, as lists of {memory, nearness}, the nearest that the viewer may
// see, once each, ordered by the exact cosine: the index answers from quantised vectors. There is `more` when some
// search gave as many as it may.
// expects: lists, place
// params: $vector, $limit, $depth

CALL (lists) {
  UNWIND lists AS list
  UNWIND list AS each
  WITH each.memory AS given_memory, max(each.nearness) AS nearness ORDER BY nearness DESC
  RETURN collect(given_memory) AS given
}
CALL (given, place) {
  UNWIND given[..$limit] AS m
  WITH m, place, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine ORDER BY cosine DESC
  // include: visible
  // include: matching
  WITH m, cosine, cosine AS score LIMIT $depth
  // include: candidates
}
RETURN size(given) > $limit OR any(list IN lists WHERE size(list) >= $limit) AS more, found
