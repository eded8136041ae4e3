// Waits until every index is online.
// params: $seconds
// returns: -
// mode: read
CALL db.awaitIndexes($seconds)
