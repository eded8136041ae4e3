// How many items of a job wait, due or claimed, how many of these failed before, and how many were given up, and why.
// params: $job
// returns: waiting, trying_again, failed, reasons
// mode: read
CALL () {
  MATCH (item:Pending) WHERE item.job = $job AND item.due_at IS NOT NULL
  RETURN count(item) AS waiting, count(item.failure) AS trying_again
}
CALL () {
  MATCH (item:Failed) WHERE item.job = $job AND item.failed_at IS NOT NULL
  WITH item.failure AS reason, count(item) AS times ORDER BY times DESC
  RETURN sum(times) AS failed, collect({reason: reason, times: times})[..10] AS reasons
}
RETURN waiting, trying_again, failed, reasons
