// The API key with this id, locked until the end of the transaction.
// params: $id, $now
// returns: credential
// mode: write
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
SET c.lock = $now
RETURN
  // include: api_key
  AS credential
