// For each job, how many items wait, due or claimed, how many of these failed before, since when the first is due, and
// how many were given up, with the ten most frequent reasons.
// params: $jobs, $now
// returns: job, waiting, trying_again, due_since, failed, reasons
// mode: read
UNWIND $jobs AS job
CALL (job) {
  MATCH (item:Pending) WHERE item.job IN [job, job + ' later'] AND item.due_at IS NOT NULL
  WITH count(item) AS waiting, count(item.failure) AS trying_again, min(item.due_at) AS first
  RETURN waiting, trying_again, CASE WHEN first <= $now THEN first END AS due_since
}
CALL (job) {
  MATCH (item:Failed) WHERE item.job = job AND item.failed_at IS NOT NULL
  WITH item.failure AS reason, count(item) AS times ORDER BY times DESC
  RETURN sum(times) AS failed, collect({reason: reason, times: times})[..10] AS reasons
}
RETURN job, waiting, trying_again, due_since, failed, reasons
