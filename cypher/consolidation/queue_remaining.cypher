// Queues ended sessions that were never consolidated, are not on the queue and have not failed.
// params: $now, $no_end, $limit
// returns: queued
// mode: write
MATCH (s:Session {unconsolidated: true}) WHERE s.ended_at < $no_end AND NOT s:Pending AND NOT s:Failed
WITH s LIMIT $limit
WITH s ORDER BY s.id
// include: session_queued(session=s, job='consolidate', due_at=$now)
RETURN count(s) AS queued
