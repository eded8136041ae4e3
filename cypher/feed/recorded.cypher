// The ids of the turns and facts recorded since a time, in that order, whoever may see them. The feed asks
// `browse/memories` which of them a viewer may see.
// params: $since, $after, $limit
// returns: id, created_at
// mode: read
MATCH (m:Memory) USING INDEX SEEK m:Memory(created_at, id)
WHERE m.created_at >= $since AND m.id IS NOT NULL AND CASE m.created_at WHEN $since THEN m.id > $after ELSE true END
  AND NOT m:Summary
RETURN m.id AS id, m.created_at AS created_at ORDER BY created_at, id LIMIT $limit
