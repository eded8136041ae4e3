// How many sessions there are, wait, wait again after a failure, are consolidated, and were given up for which reasons;
// what was found in them, and what was dropped for which reasons.
// params: -
// returns: sessions, waiting, trying_again, consolidated, failed, failures, statements, dropped
// mode: read
CALL () {
  MATCH (s:Session)
  RETURN count(s) AS sessions, count(s.due_at) AS waiting,
         count(CASE WHEN s.due_at IS NOT NULL THEN s.failure END) AS trying_again,
         count(s.consolidated_at) AS consolidated, sum(coalesce(s.statements, 0)) AS statements
}
CALL () {
  MATCH (s:Session) WHERE s.failed_at IS NOT NULL
  WITH s.failure AS reason, count(s) AS times ORDER BY times DESC
  RETURN sum(times) AS failed, collect({reason: reason, times: times})[..10] AS failures
}
CALL () {
  MATCH (s:Session) WHERE s.dropped_reasons IS NOT NULL
  UNWIND range(0, size(s.dropped_reasons) - 1) AS place
  WITH s.dropped_reasons[place] AS reason, sum(s.dropped_counts[place]) AS times ORDER BY times DESC
  RETURN collect({reason: reason, times: times}) AS dropped
}
RETURN sessions, waiting, trying_again, consolidated, failed, failures, statements, dropped
