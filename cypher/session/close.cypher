// Ends the open session of a chat and a persona where its last message was.
// params: $chat, $persona, $viewer, $trusted, $now
// returns: session
// mode: write
MATCH (c:Chat {id: $chat})
WHERE $trusted OR EXISTS {
  (:Person {id: $viewer})-[mine:PARTICIPATES_IN]->(c) WHERE mine.since <= $now AND mine.until > $now
}
SET c.lock = $now
WITH c
OPTIONAL MATCH (s:Session {open_key: $chat + '|' + $persona})
SET s.ended_at = s.last_activity_at, s.closed_by = 'request'
REMOVE s.open_key
RETURN s {.*} AS session
