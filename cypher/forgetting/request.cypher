// Puts an act of forgetting of the viewer on the queue, to go from one of the states `$before` to another; it tells where it
// stands if it is in none of these, or on its way. A plan from before `$since` is none any more.
// params: $forgetting_id, $before, $doing, $since, $viewer, $now
// returns: status, asked_for
// mode: write
MATCH (f:Forgetting {id: $forgetting_id, person_id: $viewer})
SET f.lock = $now
WITH f WHERE f.status <> 'planned' OR f.requested_at >= $since
WITH f, f.status IN $before AND NOT f:Pending AND NOT f:Failed AS ready
FOREACH (one IN CASE WHEN ready THEN [f] ELSE [] END |
  SET one.status = $doing, one.done = 0, one.finished_at = null
  // include: queued(node=one, job='forget', due_at=$now)
)
RETURN f.status AS status, ready AS asked_for
