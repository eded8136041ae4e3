// Takes what is due from the queue of the slow path, memories and entities, for one worker and a while. The second
// look at `due_at` comes after the lock that the first SET takes: without it two workers can claim the same.
// params: $worker, $now, $lease_until, $limit
// returns: id, content, heading, chat, entity, without_aspect, attempts
// mode: write
MATCH (due:Pending) WHERE due.due_at <= $now
WITH due ORDER BY due.due_at LIMIT $limit
SET due.claim_lock = $worker
WITH due WHERE due.due_at <= $now
SET due.worker = $worker, due.due_at = $lease_until, due.attempts = due.attempts + 1
RETURN due.id AS id, due.content AS content, coalesce(due.heading, '') AS heading,
       coalesce(due.learned_in, '') AS chat,
       CASE WHEN due:Entity THEN due {.canonical_name, .aliases, .type} END AS entity,
       coalesce(due.claim_key CONTAINS '|=', false) AS without_aspect, due.attempts AS attempts
