// How many sessions wait to be worked out; the index alone tells.
// params: -
// returns: waiting
// mode: read
MATCH (s:Session) WHERE s.due_at IS NOT NULL
RETURN count(s) AS waiting
