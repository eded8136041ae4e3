// All API keys, the newest first, without their hashes.
// params: -
// returns: credential
// mode: read
MATCH (c:Credential)-[:OF]->(p:Person)
RETURN c {.id, .name, .acts_for, .records, .speaks_as, .admin, .created_at, .expires_at, .revoked_at, account: p.user_id, person_id: p.id} AS credential
ORDER BY c.created_at DESC, c.id
