// Writes the sound keys of the names of entities that the worker still holds, and takes the entities off the queue.
// params: $rows, $worker, $now
// returns: -
// mode: write
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WITH e, row ORDER BY e.id
// Locked first, to see whether it got another name meanwhile.
SET e.lock = $now
WITH e, row WHERE e.worker = $worker
SET e.sounds = row.sounds
REMOVE e:Pending, e.job, e.due_at, e.worker, e.attempts, e.failure
