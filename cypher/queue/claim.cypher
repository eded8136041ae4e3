// Claims items of a job for one worker until the lease ends: first those that are due, then those whose turn comes
// later, the earliest first. The named index, and the order by its whole key, make the cost of a claim independent of
// the length of the queue. The second check follows the lock that the first SET takes: without it two workers could
// claim the same item. All who lock several take memories before entities, each in the order of their ids. Nothing is
// claimed while an export is being loaded.
// params: $job, $worker, $now, $lease_until, $limit
// returns: id, attempts
// mode: write
OPTIONAL MATCH (loading:Lock {name: 'import'})
WITH loading WHERE loading IS NULL
CALL () {
  MATCH (due:Pending) USING INDEX SEEK due:Pending(job, due_at)
  WHERE due.job = $job AND due.due_at <= $now
  WITH due ORDER BY due.job, due.due_at LIMIT $limit
  RETURN due
UNION ALL
  MATCH (due:Pending) USING INDEX SEEK due:Pending(job, due_at)
  WHERE due.job = $job + ' later' AND due.due_at > datetime('0001-01-01T00:00:00Z')
  WITH due ORDER BY due.job, due.due_at LIMIT $limit
  RETURN due
}
WITH due ORDER BY due.due_at LIMIT $limit
WITH due, due.due_at AS since ORDER BY due:Entity, due.id
SET due.lock = $now
WITH due, since WHERE due:Pending AND (due.job = $job AND due.due_at <= $now OR due.job = $job + ' later')
SET due.job = $job, due.worker = $worker, due.due_at = $lease_until, due.attempts = due.attempts + 1
RETURN due.id AS id, due.attempts AS attempts ORDER BY since, id
