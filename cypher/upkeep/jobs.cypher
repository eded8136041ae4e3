// The jobs of upkeep, scheduled and requested once, with the time when each is due, and its current step.
// params: -
// returns: id, schedule, next_at, steps, step, moment, failure
// mode: read
MATCH (job:ScheduledJob)
RETURN job.id AS id, job.schedule AS schedule, job.next_at AS next_at, job.steps AS steps, job.step AS step,
       job.moment AS moment, job.failure AS failure
ORDER BY id
