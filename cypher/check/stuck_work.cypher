// Pending memories and entities that nobody has claimed although they have been due for long.
// params: $before
// returns: found, examples
// mode: read
MATCH (late:Pending) WHERE late.job IN ['enrich', 'enrich later'] AND late.due_at < $before
RETURN count(late) AS found, collect(late.id)[..5] AS examples
