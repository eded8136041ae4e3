// Of the memories that searches of the vector indexes gave, as lists of {memory, nearness, person}, the nearest that the
// viewer may see, once each, ordered by the exact cosine: the index answers from quantised vectors. What was found as
// being about a person counts when they are concerned. There is `more` when some search gave as many as it may.
// expects: lists, viewpoint
// params: $vector, $limit, $depth, $concerned

CALL (lists) {
  UNWIND lists AS list
  UNWIND list AS each
  WITH each WHERE each.person IS NULL OR each.person IN $concerned
  WITH each.memory AS given_memory, max(each.nearness) AS nearness ORDER BY nearness DESC
  RETURN collect(given_memory) AS given
}
CALL (given, viewpoint) {
  UNWIND given[..$limit] AS m
  WITH m, viewpoint, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine ORDER BY cosine DESC
  // include: visible
  // include: matching
  WITH m, cosine, cosine AS score LIMIT $depth
  // include: candidates
}
RETURN size(given) > $limit OR any(list IN lists WHERE size(list) >= $limit) AS more, found
