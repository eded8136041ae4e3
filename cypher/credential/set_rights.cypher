// Gives an API key, which the transaction holds, other rights.
// params: $id, $rights
// returns: credential
// mode: write
MATCH (c:Credential {id: $id})-[:OF]->(p:Person)
SET c += $rights
RETURN c {.id, .name, .acts_for, .records, .speaks_as, .admin, .created_at, .expires_at, .revoked_at, account: p.user_id, person_id: p.id} AS credential
