// The memories nearest to a query vector in the whole index, ordered by the exact cosine, whoever may see them: what a
// search costs that knows no rule. For measuring beside one that does; nothing that answers a request runs it.
// params: $vector, $limit, $depth
// returns: found
// mode: read
// slots: a, b
MATCH (near:Memory)
SEARCH near IN (VECTOR INDEX memory_vector_$$slot FOR $vector LIMIT $limit) SCORE AS nearness
WITH near AS m, nearness
WITH m, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine ORDER BY cosine DESC
WITH m, cosine, cosine AS score LIMIT $depth
// include: candidates
