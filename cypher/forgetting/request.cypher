// Queues an act of forgetting of the viewer whose status is one of `$before`, and sets its status to `$doing`.
// Otherwise, or if it is queued or has failed, only its status is returned. Returns no row for a plan from before
// `$since`.
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
