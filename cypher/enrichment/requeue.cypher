// Puts memories and entities that lack a vector of the answering model, and that no queue holds, on the queue.
// params: $now, $limit
// returns: requeued
// mode: write
// slots: a, b

// include: missing_vectors
WITH lost LIMIT $limit
WITH lost ORDER BY lost:Entity, lost.id
// include: queued(node=lost, job='enrich', due_at=$now)
RETURN count(lost) AS requeued
