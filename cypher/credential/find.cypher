// The API key of an id, with its hash and whose it is.
// params: $id
// returns: credential, hash
// mode: read
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
RETURN c {.id, .name, .acts_for, .records, .speaks_as, .admin, .created_at, .expires_at, .revoked_at, account: p.user_id, person_id: p.id} AS credential,
       c.hash AS hash
