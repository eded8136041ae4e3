// A valid API key, with rights for others than its own person, of a person with one of these ids; no row if there is
// none.
// params: $ids, $now
// returns: id
// mode: read
MATCH (c:Credential)-[:OF]->(p:Person)
WHERE p.id IN $ids AND c.revoked_at IS NULL AND c.expires_at > $now
  AND (c.admin OR size(c.acts_for) > 0 OR size(c.records) > 0)
RETURN c.id AS id ORDER BY id LIMIT 1
