// Pending memories that nobody has taken up although they have been due for long.
// params: $before
// returns: found, examples
// mode: read
MATCH (m:Pending) WHERE m.due_at < $before
RETURN count(m) AS found, collect(m.id)[..5] AS examples
