// The API key of an id, with its hash and whose it is.
// params: $id
// returns: credential, hash
// mode: read
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
RETURN
  // include: api_key
  AS credential,
       c.hash AS hash
