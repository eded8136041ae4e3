// Creates an item for steps that run once: due now, or leased to a worker that runs them itself. An existing item with
// this id stays as it is.
// params: $id, $steps, $worker, $due_at
// returns: -
// mode: write
MERGE (job:ScheduledJob {id: $id})
ON CREATE SET job:Pending, job.job = 'upkeep', job.attempts = 0, job.once = true, job.steps = $steps,
              job.due_at = $due_at, job.next_at = $due_at, job.worker = $worker
