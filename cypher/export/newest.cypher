// The latest creation time of a node, if it is at most a day after `$now`, as set by a clock that is or was ahead of
// this one; else null.
// params: $now
// returns: newest
// mode: read
MATCH (n) WHERE $now < n.created_at <= $now + duration({days: 1})
RETURN max(n.created_at) AS newest
