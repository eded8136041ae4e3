// The viewer's plans and acts of forgetting, the latest first, from a place in the list on; or the one with id
// `$forgetting_id`.
// params: $forgetting_id, $until, $until_id, $limit, $viewer
// returns: forgetting
// mode: read
MATCH (f:Forgetting) USING INDEX SEEK f:Forgetting(person_id, requested_at, id)
WHERE f.person_id = $viewer AND f.requested_at <= $until AND f.id IS NOT NULL
  AND CASE f.requested_at WHEN $until THEN f.id < $until_id ELSE true END AND ($forgetting_id IS NULL OR f.id = $forgetting_id)
WITH f ORDER BY f.requested_at DESC, f.id DESC LIMIT $limit
RETURN f {.id, .status, .asked, .examples, .done, .requested_at, .finished_at, failed: f:Failed,
          counts: f {turns: f.planned_turns, facts: f.planned_facts, procedures: f.planned_procedures,
                     opinions: f.planned_opinions, found_in_them: f.planned_found, given_up: f.planned_given_up}} AS forgetting
ORDER BY f.requested_at DESC, f.id DESC
