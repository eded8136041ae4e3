// Makes an API key of the person with an account; of the key itself a hash is kept.
// params: $id, $user_id, $name, $hash, $rights, $now, $expires_at
// returns: credential
// mode: write
MATCH (p:Person {user_id: $user_id})
CREATE (c:Credential {id: $id, name: $name, hash: $hash, created_at: $now, expires_at: $expires_at})
SET c += $rights
CREATE (c)-[:OF {created_at: $now}]->(p)
RETURN
  // include: api_key
  AS credential
