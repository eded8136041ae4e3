// Takes sessions that wait to be worked out, for one worker and a while. The second look at `due_at` comes after the
// lock that the first SET takes: without it two workers can claim the same.
// params: $worker, $now, $lease_until, $limit
// returns: id, attempts
// mode: write
MATCH (s:Session) WHERE s.due_at <= $now
WITH s ORDER BY s.due_at LIMIT $limit
SET s.claim_lock = $worker
WITH s WHERE s.due_at <= $now
SET s.worker = $worker, s.due_at = $lease_until, s.attempts = coalesce(s.attempts, 0) + 1
RETURN s.id AS id, s.attempts AS attempts
