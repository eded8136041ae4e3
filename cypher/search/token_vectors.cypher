// The token vectors of the memories `$ids`, packed, as far as the viewer may see them: of those that have some.
// params: $ids
// returns: id, tokens
// mode: read
// slots: a, b

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.embedding_tokens_$$slot IS NOT NULL
// include: visible
RETURN m.id AS id, m.embedding_tokens_$$slot AS tokens
