// The jobs among `$jobs` that have something to claim: an item that is due, or one whose turn comes later.
// params: $jobs, $now
// returns: job
// mode: read
UNWIND $jobs AS job
WITH job WHERE
  EXISTS { MATCH (due:Pending) USING INDEX SEEK due:Pending(job, due_at) WHERE due.job = job AND due.due_at <= $now }
  OR EXISTS {
    MATCH (later:Pending) USING INDEX SEEK later:Pending(job, due_at)
    WHERE later.job = job + ' later' AND later.due_at > datetime('0001-01-01T00:00:00Z')
  }
RETURN job
