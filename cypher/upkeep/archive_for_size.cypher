// Archives, scope by scope, the memories worth least where a scope is too large (T7). `$position` has the number left
// to archive in a scope, and the id of the scope (`20|…`); it is empty at the beginning, and null is returned after the
// last scope. `first_in` is the scope that a batch begins with, if nothing was archived there before.
// params: $position, $limit, $now, $active, $archived
// returns: changed, position, first_in
// mode: write

WITH split($position, '|') AS place
WITH coalesce(toInteger(place[0]), 0) AS begun, coalesce(place[1], '') AS at
OPTIONAL CALL (begun, at) {
  WITH * WHERE begun > 0
  RETURN at AS scope, begun AS left, null AS first_in
UNION ALL
  WITH at AS after WHERE begun = 0
  // include: size_excess
  WITH scope, excess ORDER BY scope LIMIT 1
  RETURN scope, excess AS left,
         CASE WHEN NOT EXISTS { MATCH (gone:Archived) WHERE gone.scope = scope AND gone.archived_at < $moment } THEN scope END AS first_in
}
CALL (scope) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  // include: worth_keeping
  ORDER BY worth, m.id LIMIT $limit
  RETURN collect(m) AS lowest
}
CALL (lowest, left) {
  UNWIND lowest[..left] AS m
  WITH m ORDER BY m.id
  SET m.lock = $now
  WITH m
  // include: worth_keeping
  // include: archived
  RETURN count(m) AS changed
}
RETURN changed, toString(CASE WHEN changed > 0 THEN left - changed ELSE 0 END) + '|' + scope AS position,
       CASE WHEN changed > 0 THEN first_in END AS first_in
