// Ends an erasure whose confirmed plan was carried out, and deletes the record of the places and names.
// params: $erasure_id, $worker, $now
// returns: -
// mode: write

// include: held_erasure
CALL (erasure) {
  MATCH (erasure)-[place:CONCERNS]->()
  DELETE place
}
SET erasure.decided_at = $now
REMOVE erasure:UndecidedErasure, erasure.full, erasure.words, erasure:Pending, erasure.job, erasure.due_at, erasure.worker,
       erasure.attempts, erasure.failure, erasure.lock
