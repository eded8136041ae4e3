// Puts memories that lack a vector of the answering model, and that no queue holds, on the queue.
// params: $dimensions, $model, $now, $limit
// returns: requeued
// mode: write
// slots: a, b
MATCH (m:Memory)
WHERE NOT m:Pending AND NOT m:Failed
  AND (m.embedding_$$slot IS NULL OR size(m.embedding_$$slot) <> $dimensions OR m.embedding_model_$$slot <> $model)
WITH m LIMIT $limit
SET m:Pending, m.due_at = $now, m.attempts = 0
RETURN count(m) AS requeued
