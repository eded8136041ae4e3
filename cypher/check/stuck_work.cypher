// Pending memories and entities that no worker has claimed although they were due for enrichment before `$before`.
// params: $before
// returns: found, examples
// mode: read
MATCH (late:Pending) WHERE late.job IN ['enrich', 'enrich later'] AND late.due_at < $before
RETURN count(late) AS found, collect(late.id)[..5] AS examples
