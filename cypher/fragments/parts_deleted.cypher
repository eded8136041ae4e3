// Deletes the parts of the text of the memory `m`, whose wording has changed.
// expects: m
SET m.embedding_parts_a = null, m.embedding_parts_b = null
CALL (m) {
  MATCH (m)-[part:HAS_PART]->(m)
  DELETE part
}
