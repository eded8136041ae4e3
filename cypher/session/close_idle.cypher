// Ends the sessions whose last message is before `$before`. Each is checked again under the lock of its chat, since a
// message may have come meanwhile.
// params: $before, $no_end, $limit, $now
// returns: closed
// mode: write
MATCH (s:Session) WHERE s.ended_at = $no_end AND s.last_activity_at < $before
WITH s ORDER BY s.last_activity_at LIMIT $limit
MATCH (c:Chat {id: s.chat_id})
WITH s, c ORDER BY c.id
SET c.lock = $now
WITH s WHERE s.ended_at = $no_end AND s.last_activity_at < $before
SET s.ended_at = s.last_activity_at, s.closed_by = 'idle'
REMOVE s.open_key
// include: session_queued(session=s, job='consolidate', due_at=$now)
RETURN count(s) AS closed
