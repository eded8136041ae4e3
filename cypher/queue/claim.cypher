// Takes what is due from the queue of the slow path, for one worker and a while. The second look at `due_at` comes
// after the lock that the first SET takes: without it two workers can claim the same memory.
// params: $worker, $now, $lease_until, $limit
// returns: id, content, heading, attempts
// mode: write
MATCH (m:Pending) WHERE m.due_at <= $now
WITH m ORDER BY m.due_at LIMIT $limit
SET m.claim_lock = $worker
WITH m WHERE m.due_at <= $now
SET m.worker = $worker, m.due_at = $lease_until, m.attempts = m.attempts + 1
RETURN m.id AS id, m.content AS content, coalesce(m.heading, '') AS heading, m.attempts AS attempts
