// Puts memories that lack a vector of the answering model, and entities that lack sounds, on the queue if none holds them.
// params: $now, $limit
// returns: requeued
// mode: write
// slots: a, b

// include: missing_vectors
WITH lost LIMIT $limit
WITH lost ORDER BY lost:Entity, lost.id
// include: queued(node=lost, job='enrich', due_at=$now)
RETURN count(lost) AS requeued
