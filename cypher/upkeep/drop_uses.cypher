// Deletes the records of use of memories that are older than `$days` days (0: all) (W13).
// params: $moment, $days, $limit
// returns: changed, position
// mode: write
MATCH (u:Use) WHERE u.at <= $moment - duration({days: $days})
WITH u LIMIT $limit
DETACH DELETE u
WITH count(*) AS changed
RETURN changed, CASE WHEN changed = $limit THEN 'on' END AS position
