// Ends the open session of a chat and a persona at the time of its last message; with `$word` the session recorded
// under this id of the caller, which may have ended before.
// params: $chat, $persona, $word, $now
// returns: session
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (open:Session {open_key: $chat + '|' + $persona}) WHERE $word IS NULL
OPTIONAL MATCH (called:Session {word_key: $chat + '|' + $persona + '|' + $word})
WITH coalesce(open, called) AS s
SET s.ended_at = s.last_activity_at, s.closed_by = 'request'
REMOVE s.open_key
// include: session_queued(session=s, job='consolidate', due_at=$now)
RETURN s {.*} AS session
