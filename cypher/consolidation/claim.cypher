// Takes sessions that wait to be worked out, for one worker and a while. One that is to be read whole waits until all its
// turns were read for names; of those that have waited longest so many are looked at, and what is not ready is due again
// `$later`, so that a long queue costs no more than a short one. The second look at `due_at` comes after the lock that the
// first SET takes: without it two workers can claim the same.
// params: $worker, $now, $later, $lease_until, $window, $limit, $no_end
// returns: id, attempts
// mode: write
MATCH (s:Session) WHERE s.due_at <= $now
WITH s ORDER BY s.due_at LIMIT $window
SET s.claim_lock = $worker
WITH s WHERE s.due_at <= $now
WITH s, (s.ended_at = $no_end AND s.asked IS NULL) OR NOT EXISTS {
  MATCH (turn:Pending {session_id: s.id})
} AS ready
WITH collect(CASE WHEN ready THEN s END) AS able, collect(CASE WHEN NOT ready THEN s END) AS waiting
FOREACH (s IN waiting | SET s.due_at = $later)
FOREACH (s IN waiting + able[$limit..] | REMOVE s.claim_lock)
WITH able[..$limit] AS taken
UNWIND taken AS s
SET s.worker = $worker, s.due_at = $lease_until, s.attempts = coalesce(s.attempts, 0) + 1
RETURN s.id AS id, s.attempts AS attempts
