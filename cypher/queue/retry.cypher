// Puts what failed back on the queue, from its first try on.
// params: $now
// returns: retried
// mode: write
MATCH (failed:Failed) WHERE failed.failed_at IS NOT NULL
SET failed:Pending, failed.due_at = $now, failed.attempts = 0
REMOVE failed:Failed, failed.failed_at
RETURN count(failed) AS retried
