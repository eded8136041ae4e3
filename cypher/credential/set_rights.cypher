// Changes the rights of an API key that the transaction has locked.
// params: $id, $rights
// returns: credential
// mode: write
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
SET c += $rights
RETURN
  // include: api_key
  AS credential
