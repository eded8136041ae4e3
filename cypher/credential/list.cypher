// All API keys, the newest first, without their hashes.
// params: -
// returns: credential
// mode: read
MATCH (c:Credential)-[:OF]->(p:Person)
RETURN
  // include: api_key
  AS credential
ORDER BY c.created_at DESC, c.id
