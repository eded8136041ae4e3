// The numbers of sessions and of consolidated ones; of statements found, and of those dropped for each reason, the
// most frequent first; and of sessions that a language model still has to work on.
// params: -
// returns: sessions, consolidated, statements, dropped, owed
// mode: read
CALL () {
  MATCH (s:Session)
  RETURN count(s) AS sessions, count(s.consolidated_at) AS consolidated, sum(coalesce(s.statements, 0)) AS statements
}
CALL () {
  MATCH (s:Session) WHERE s.dropped_reasons IS NOT NULL
  UNWIND range(0, size(s.dropped_reasons) - 1) AS place
  WITH s.dropped_reasons[place] AS reason, sum(s.dropped_counts[place]) AS times ORDER BY times DESC
  RETURN collect({reason: reason, times: times}) AS dropped
}
CALL () {
  MATCH (s:Session {owes: true})
  RETURN count(s) AS owed
}
RETURN sessions, consolidated, statements, dropped, owed
