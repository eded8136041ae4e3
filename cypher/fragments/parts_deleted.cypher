// Deletes the parts of the text of the memory `m`, whose words are others now.
// expects: m
SET m.embedding_parts_a = null, m.embedding_parts_b = null
CALL (m) {
  MATCH (m)-[part:HAS_PART]->(m)
  DELETE part
}
