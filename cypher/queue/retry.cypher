// Puts what failed back on the queue, from its first try on.
// params: $now
// returns: retried
// mode: write
MATCH (m:Failed) WHERE m.failed_at IS NOT NULL
SET m:Pending, m.due_at = $now, m.attempts = 0
REMOVE m:Failed, m.failed_at
RETURN count(m) AS retried
