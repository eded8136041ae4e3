// Ends a step of a job, and stores why it failed, if it did. The next step is due now, or with `$keep` stays leased to
// the worker. After the last step the job is due again at `$next_at`, or deleted if it was requested once.
// params: $id, $worker, $run, $failure, $following, $keep, $lease_until, $next_at, $now
// returns: -
// mode: write
MATCH (job:ScheduledJob {id: $id}) WHERE job.worker = $worker
MATCH (run:MaintenanceRun {id: $run})
SET run.ended_at = $now, run.failure = $failure
SET job.step = $following, job.position = null, job.attempts = 0, job.failure = null,
    job.worker = CASE WHEN $keep AND $following IS NOT NULL THEN job.worker END,
    job.moment = CASE WHEN $following IS NOT NULL THEN job.moment END,
    job.due_at = CASE WHEN $following IS NULL THEN $next_at WHEN $keep THEN $lease_until ELSE $now END,
    job.next_at = CASE WHEN $following IS NULL THEN $next_at ELSE job.next_at END
FOREACH (done IN CASE WHEN $following IS NULL AND job.once THEN [job] ELSE [] END | DELETE done)
