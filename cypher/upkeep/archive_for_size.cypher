// Archives the memories that are worth least when all are too large (T7). `$position` is how many are left to do, empty at
// the beginning, when that is found out; null is returned at the end.
// params: $position, $limit, $now, $active, $archived
// returns: changed, position
// mode: write

CALL () {
  WITH $position AS position WHERE position = ''
  // include: size_excess
  RETURN excess AS left
UNION ALL
  WITH toInteger($position) AS left WHERE left IS NOT NULL
  RETURN left
}
CALL (left) {
  MATCH (m:Memory) WHERE left > 0
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
RETURN changed, CASE WHEN changed > 0 AND left > changed THEN toString(left - changed) END AS position
