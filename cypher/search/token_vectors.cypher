// The packed token vectors of the memories `$ids`, as far as the viewer may see the memories. Memories without any are
// left out. For a text with parts they are those of the part nearest to `$vector`.
// params: $ids, $vector
// returns: id, tokens
// mode: read
// slots: a, b

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.embedding_tokens_$$slot IS NOT NULL
// include: visible
WITH m, COLLECT {
  MATCH (m)-[part:HAS_PART]->(m) WHERE part.embedding_tokens_$$slot IS NOT NULL
  RETURN part.embedding_tokens_$$slot
  ORDER BY vector.similarity.cosine(part.embedding_$$slot, $vector) DESC LIMIT 1
} AS of_parts
RETURN m.id AS id, coalesce(of_parts[0], m.embedding_tokens_$$slot) AS tokens
