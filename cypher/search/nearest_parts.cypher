// The parts of the long texts `$ids` that are nearest to the query vector, at most `$most` of each text, as far as the
// viewer may see the texts. A part has its start and end, in characters, and its exact cosine.
// params: $ids, $vector, $most
// returns: id, parts
// mode: read
// slots: a, b

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id})
// include: visible
RETURN m.id AS id, COLLECT {
  MATCH (m)-[part:HAS_PART]->(m) WHERE part.embedding_$$slot IS NOT NULL
  WITH part, 2 * vector.similarity.cosine(part.embedding_$$slot, $vector) - 1 AS cosine
  RETURN {start: part.start, end: part.end, cosine: cosine} ORDER BY cosine DESC, part.start LIMIT $most
} AS parts
