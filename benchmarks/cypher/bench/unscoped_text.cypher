// The memories whose words match best in the whole index, whoever may see them: the other half of what a search costs
// that knows no rule, beside `bench/unscoped_vector`.
// params: $query, $depth, $vector
// returns: found
// mode: read
// slots: a, b
CALL db.index.fulltext.queryNodes('memory_fulltext', $query, {limit: $depth}) YIELD node AS m, score
WITH m, score, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine
// include: candidates
