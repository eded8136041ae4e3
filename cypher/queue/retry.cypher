// Puts what a job gave up back on its queue, from the first attempt on. The reason stays until it succeeds.
// params: $job, $now
// returns: retried
// mode: write
MATCH (failed:Failed) WHERE failed.job = $job AND failed.failed_at IS NOT NULL
WITH failed ORDER BY failed:Entity, failed.id
SET failed:Pending, failed.due_at = $now, failed.attempts = 0
REMOVE failed:Failed, failed.failed_at
RETURN count(failed) AS retried
