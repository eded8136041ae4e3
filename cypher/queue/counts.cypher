// How much work waits, how much of it failed before, and how much was put aside and why.
// params: -
// returns: pending, trying_again, failed, reasons
// mode: read
CALL () { MATCH (m:Pending) RETURN count(m) AS pending, count(m.failure) AS trying_again }
CALL () {
  MATCH (m:Failed)
  WITH m.failure AS reason, count(m) AS times ORDER BY times DESC
  RETURN sum(times) AS failed, collect({reason: reason, times: times})[..10] AS reasons
}
RETURN pending, trying_again, failed, reasons
