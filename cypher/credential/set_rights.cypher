// Gives an API key, which the transaction holds, other rights.
// params: $id, $rights
// returns: credential
// mode: write
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
SET c += $rights
RETURN
  // include: api_key
  AS credential
