// The API key of an id, held until the end of the transaction.
// params: $id, $now
// returns: credential
// mode: write
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
SET c.lock = $now
RETURN c {.id, .name, .acts_for, .records, .speaks_as, .admin, .created_at, .expires_at, .revoked_at, account: p.user_id, person_id: p.id} AS credential
