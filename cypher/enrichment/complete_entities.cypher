// Writes how the names of entities sound, and takes them off the queue: those that the worker still holds.
// params: $rows, $worker, $now
// returns: -
// mode: write
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WITH e, row ORDER BY e.id
// Under its lock it is seen whether it got another name meanwhile.
SET e.lock = $now
WITH e, row WHERE e.worker = $worker
SET e.sounds = row.sounds
REMOVE e:Pending, e.job, e.due_at, e.worker, e.attempts, e.failure
