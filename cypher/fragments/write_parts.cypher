// Writes the parts of the long text of the memory `m`, which has none in this slot, each `{start, end, vector,
// tokens}`: character offsets, vector and token vectors. A part is a relationship of a memory with itself, so that it
// is deleted with it. The vector index of parts filters by the memory's labels, which `copy_to_about` copies there.
// expects: m, row
SET m.embedding_parts_$$slot = size(row.parts)
CALL (m, row) {
  UNWIND row.parts AS part
  CREATE (m)-[:HAS_PART {start: part.start, end: part.end, embedding_$$slot: part.vector,
                         embedding_tokens_$$slot: part.tokens}]->(m)
}
