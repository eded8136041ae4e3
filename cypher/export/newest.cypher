// When the latest of all that there is was made, where that is after `$now` and no later than `$latest`: by a clock that is
// ahead of this one, or was.
// params: $now, $latest
// returns: newest
// mode: read
MATCH (n) WHERE $now < n.created_at <= $latest
RETURN max(n.created_at) AS newest
