// When the latest of all that there is was made, where that is after `$now`, by a day at most: by a clock that is ahead of
// this one, or was.
// params: $now
// returns: newest
// mode: read
MATCH (n) WHERE $now < n.created_at <= $now + duration({days: 1})
RETURN max(n.created_at) AS newest
