// Makes an item for some steps that are to be done once, due now; or held by a worker that does them itself. One of this id
// that is there already stays as it is.
// params: $id, $steps, $worker, $due_at
// returns: -
// mode: write
MERGE (job:ScheduledJob {id: $id})
ON CREATE SET job:Pending, job.job = 'upkeep', job.attempts = 0, job.once = true, job.steps = $steps,
              job.due_at = $due_at, job.next_at = $due_at, job.worker = $worker
