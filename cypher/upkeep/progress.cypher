// Notes how far a step is, if its worker still holds the job: no row if not, and what the same transaction changed is to be
// taken back.
// params: $id, $worker, $run, $position, $changed, $lease_until
// returns: total
// mode: write
MATCH (job:ScheduledJob {id: $id}) WHERE job.worker = $worker
SET job.position = $position, job.due_at = $lease_until
WITH job
MATCH (run:MaintenanceRun {id: $run})
SET run.changed = run.changed + $changed
RETURN run.changed AS total
