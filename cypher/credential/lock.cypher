// The API key of an id, held until the end of the transaction.
// params: $id, $now
// returns: credential
// mode: write
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
SET c.lock = $now
RETURN
  // include: api_key
  AS credential
