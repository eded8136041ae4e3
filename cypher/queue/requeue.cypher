// Puts memories that lack a vector of the answering model, and that no queue holds, on the queue.
// params: $now, $limit
// returns: requeued
// mode: write
// slots: a, b

// include: lost
WITH m LIMIT $limit
SET m:Pending, m.due_at = $now, m.attempts = 0
RETURN count(m) AS requeued
