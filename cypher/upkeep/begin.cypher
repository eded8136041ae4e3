// The current step of a job that the worker holds, the position in the step, and the moment that counts as now for all
// steps of the run. Creates the record of the step's run when the step begins.
// params: $id, $worker, $now
// returns: step, steps, position, moment, schedule, once, run
// mode: write
MATCH (job:ScheduledJob {id: $id}) WHERE job.worker = $worker
SET job.moment = coalesce(job.moment, $now), job.step = coalesce(job.step, job.steps[0]),
    job.position = coalesce(job.position, '')
MERGE (run:MaintenanceRun {id: job.id + '|' + toString(job.moment) + '|' + job.step})
ON CREATE SET run.job = job.id, run.step = job.step, run.moment = job.moment, run.started_at = $now, run.changed = 0
RETURN job.step AS step, job.steps AS steps, job.position AS position, job.moment AS moment, job.schedule AS schedule,
       coalesce(job.once, false) AS once, run.id AS run
