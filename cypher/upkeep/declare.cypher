// Creates the missing items of scheduled jobs, and sets the next time of those whose schedule has changed. A job in
// progress goes on unchanged; one that was given up is queued again for its next time.
// params: $rows
// returns: -
// mode: write
UNWIND $rows AS row
MERGE (job:ScheduledJob {id: row.id})
ON CREATE SET job:Pending, job.job = 'upkeep', job.attempts = 0, job.due_at = row.next_at, job.next_at = row.next_at,
              job.schedule = row.schedule, job.steps = row.steps
FOREACH (given_up IN CASE WHEN job:Failed THEN [job] ELSE [] END |
  SET given_up:Pending, given_up.attempts = 0, given_up.due_at = row.next_at
  REMOVE given_up:Failed, given_up.failed_at
)
WITH job, row WHERE job.step IS NULL
SET job.steps = row.steps
WITH job, row WHERE job.schedule <> row.schedule
SET job.schedule = row.schedule, job.due_at = row.next_at, job.next_at = row.next_at
