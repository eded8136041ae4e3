// An API key that is there for others than its own person, and holds, of somebody known by one of these ids.
// params: $ids, $now
// returns: id
// mode: read
MATCH (c:Credential)-[:OF]->(p:Person)
WHERE p.id IN $ids AND c.revoked_at IS NULL AND c.expires_at > $now
  AND (c.admin OR size(c.acts_for) > 0 OR size(c.records) > 0)
RETURN c.id AS id ORDER BY id LIMIT 1
