// The API key with this id, with its hash and its person.
// params: $id
// returns: credential, hash
// mode: read
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
RETURN
  // include: api_key
  AS credential,
       c.hash AS hash
