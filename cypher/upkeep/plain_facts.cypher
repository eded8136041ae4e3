// The ids of live facts without an aspect, of the `$limit` memories after a place in the order of their ids.
// params: $position, $limit
// returns: ids, position
// mode: read
CALL () {
  MATCH (m:Memory) WHERE m.id > $position
  RETURN m ORDER BY m.id LIMIT $limit
}
WITH collect(m) AS page
RETURN [m IN page WHERE m.live_key IS NOT NULL AND m.claim_key CONTAINS '|=' | m.id] AS ids,
       CASE WHEN size(page) = $limit THEN page[-1].id END AS position
