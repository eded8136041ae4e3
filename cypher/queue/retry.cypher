// Requeues the items of a job that were given up, due now with 0 attempts. The reason stays until the item succeeds.
// params: $job, $now
// returns: retried
// mode: write
MATCH (failed:Failed) WHERE failed.job = $job AND failed.failed_at IS NOT NULL
WITH failed ORDER BY failed:Entity, failed.id
SET failed:Pending, failed.due_at = $now, failed.attempts = 0
REMOVE failed:Failed, failed.failed_at
RETURN count(failed) AS retried
