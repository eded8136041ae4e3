// Leaves all texts as they are that an erasure left to be decided, and deletes the record of the places and names.
// params: $erasure_id, $now
// returns: id
// mode: write
MATCH (e:Erasure {id: $erasure_id})
SET e.lock = $now
WITH e WHERE e:UndecidedErasure AND NOT e:Pending
CALL (e) {
  MATCH (e)-[place:CONCERNS]->()
  DELETE place
}
SET e.decided_at = $now
REMOVE e:UndecidedErasure, e.full, e.words, e.lock
RETURN e.id AS id
