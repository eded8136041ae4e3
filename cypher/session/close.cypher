// Ends the open session of a chat and a persona where its last message was.
// params: $chat, $persona, $now
// returns: session
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (s:Session {open_key: $chat + '|' + $persona})
SET s.ended_at = s.last_activity_at, s.closed_by = 'request'
REMOVE s.open_key
// include: session_queued(session=s, job='consolidate', due_at=$now)
RETURN s {.*} AS session
