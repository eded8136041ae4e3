// Queues memories that lack a vector of the answering model, and entities that lack sound keys, if they are neither on
// the queue nor failed.
// params: $now, $limit
// returns: requeued
// mode: write
// slots: a, b

// include: missing_vectors
WITH lost LIMIT $limit
WITH lost ORDER BY lost:Entity, lost.id
// include: queued(node=lost, job='enrich', due_at=$now)
RETURN count(lost) AS requeued
