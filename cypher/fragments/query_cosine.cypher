// Computes the exact `cosine` similarity of the memory `m` and the query vector; for a text with parts, the highest
// among the whole and the parts.
// expects: m
// params: $vector
CALL (m) {
  OPTIONAL MATCH (m)-[part:HAS_PART]->(m)
  WITH m, max(2 * vector.similarity.cosine(part.embedding_$$slot, $vector) - 1) AS of_part
  WITH of_part, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS of_whole
  RETURN CASE WHEN of_part IS NULL OR of_part < of_whole THEN of_whole ELSE of_part END AS cosine
}
