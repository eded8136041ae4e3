// Stores the progress of a step, and renews the lease, if the worker still holds the job. Without a row it does not,
// and the transaction must be rolled back.
// params: $id, $worker, $run, $position, $changed, $lease_until
// returns: total
// mode: write
MATCH (job:ScheduledJob {id: $id}) WHERE job.worker = $worker
SET job.position = $position, job.due_at = $lease_until
WITH job
MATCH (run:MaintenanceRun {id: $run})
SET run.changed = run.changed + $changed
RETURN run.changed AS total
