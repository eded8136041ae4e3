// Puts sessions that have ended, were never consolidated and are in no queue on it.
// params: $now, $no_end, $limit
// returns: queued
// mode: write
MATCH (s:Session {unconsolidated: true}) WHERE s.ended_at < $no_end AND NOT s:Pending AND NOT s:Failed
WITH s LIMIT $limit
SET s:Pending, s.due_at = $now, s.attempts = 0
RETURN count(s) AS queued
