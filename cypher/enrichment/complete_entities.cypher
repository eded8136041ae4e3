// Writes the vectors of entities and how their names sound, and takes them off the queue: those that the worker still holds.
// params: $rows, $worker, $model, $now
// returns: id
// mode: write
// slots: a, b
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WITH e, row ORDER BY e.id
// Under its lock it is seen whether it got another name meanwhile.
SET e.lock = $now
WITH e, row WHERE e.worker = $worker
// A vector in the other slot is of other words.
SET e.embedding_model_a = null, e.embedding_model_b = null
SET e.embedding_$$slot = row.vector, e.embedding_model_$$slot = CASE WHEN row.vector IS NULL THEN null ELSE $model END,
    e.sounds = row.sounds
REMOVE e:Pending, e.job, e.due_at, e.worker, e.attempts, e.failure
RETURN e.id AS id
