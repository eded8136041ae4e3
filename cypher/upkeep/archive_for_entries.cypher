// Archives the memories worth least in scopes with too many entries, down to the limit, at most `$limit` memories at
// once (T7). `position` is null when nothing was archived: no scope has too many, or only pinned ones are left.
// params: $limit, $now, $active, $archived
// returns: changed, position
// mode: write

// include: entry_excess
WITH scope, excess ORDER BY scope
CALL (scope, excess) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL AND NOT m:Episodic
  // include: worth_keeping
  WITH m ORDER BY worth, m.id LIMIT $limit
  RETURN collect(m) AS lowest
}
UNWIND lowest[..excess] AS m
WITH m LIMIT $limit
WITH m ORDER BY m.id
SET m.lock = $now
WITH m
// include: worth_keeping
// include: archived
WITH count(m) AS changed
RETURN changed, CASE WHEN changed > 0 THEN '' END AS position
