// Puts sessions that were given up back on the queue, from the first try on.
// params: $now
// returns: retried
// mode: write
MATCH (s:Session) WHERE s.failed_at IS NOT NULL
SET s.due_at = $now, s.attempts = 0
REMOVE s.failed_at
RETURN count(s) AS retried
