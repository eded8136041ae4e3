// Takes sessions that wait to be worked out, for one worker and a while. One that is to be read whole waits until all its
// turns were read for names. The second look at `due_at` comes after the lock that the first SET takes: without it two
// workers can claim the same.
// params: $worker, $now, $lease_until, $limit, $no_end
// returns: id, attempts
// mode: write
MATCH (s:Session) WHERE s.due_at <= $now AND (
  s.ended_at = $no_end AND s.asked IS NULL
  OR NOT EXISTS { MATCH (turn:Memory) WHERE turn.session_id = s.id AND turn.event_time IS NOT NULL AND turn:Pending })
WITH s ORDER BY s.due_at LIMIT $limit
SET s.claim_lock = $worker
WITH s WHERE s.due_at <= $now
SET s.worker = $worker, s.due_at = $lease_until, s.attempts = coalesce(s.attempts, 0) + 1
RETURN s.id AS id, s.attempts AS attempts
