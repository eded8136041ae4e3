// Writes vectors of memories into a slot, unless the content has changed since it was embedded.
// params: $rows, $model
// returns: written
// mode: write
// slots: a, b
UNWIND $rows AS row
MATCH (m:Memory {id: row.id}) WHERE m.content = row.content
SET m.embedding_$$slot = row.vector, m.embedding_model_$$slot = $model, m.embedding_tokens_$$slot = row.tokens
CALL (m) {
  MATCH (m)-[old:HAS_PART]->(m) WHERE old.embedding_$$slot IS NOT NULL
  DELETE old
}
// include: write_parts
// include: copy_to_about
RETURN count(m) AS written
