// Puts memories and entities that lack a vector of the answering model, and that no queue holds, on the queue.
// params: $now, $limit
// returns: requeued
// mode: write
// slots: a, b

// include: lost
WITH lost LIMIT $limit
SET lost:Pending, lost.due_at = $now, lost.attempts = 0
RETURN count(lost) AS requeued
