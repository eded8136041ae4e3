// Revokes an API key; one that was revoked before keeps its time.
// params: $id, $now
// returns: id
// mode: write
MATCH (c:Credential {id: $id})
SET c.revoked_at = coalesce(c.revoked_at, $now)
RETURN c.id AS id
