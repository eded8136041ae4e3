// Creates an API key for the person with an account; of the key itself only a hash is stored. If chats in which it is
// to record do not exist, nothing is created and their ids are `unknown`.
// params: $id, $user_id, $name, $hash, $rights, $chats, $now, $expires_at
// returns: credential, unknown
// mode: write
MATCH (p:Person {user_id: $user_id})
WITH p, COLLECT { UNWIND $chats AS id WITH id WHERE NOT EXISTS { (:Chat {id: id}) } RETURN id ORDER BY id } AS unknown
CALL (p, unknown) {
  WITH * WHERE unknown = []
  CREATE (c:Credential {id: $id, name: $name, hash: $hash, created_at: $now, expires_at: $expires_at})
  SET c += $rights
  CREATE (c)-[:OF {created_at: $now}]->(p)
  RETURN collect(
    // include: api_key
  )[0] AS credential
}
RETURN credential, unknown
