// Queues the plan of what an erasure left, to be carried out at all places (null) or at some of them.
// params: $erasure_id, $places, $now
// returns: id
// mode: write
MATCH (e:Erasure {id: $erasure_id})
SET e.lock = $now
WITH e WHERE e:UndecidedErasure AND NOT e:Pending
CALL (e) {
  MATCH (e)-[place:CONCERNS]->(n) WHERE $places IS NOT NULL AND NOT n.id IN $places
  DELETE place
}
// include: queued(node=e, job='erase', due_at=$now)
RETURN e.id AS id
