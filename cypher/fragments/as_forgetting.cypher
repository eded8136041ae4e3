// Ends a statement with the acts of forgetting `f`, as their owner is told of them.
// expects: f
// params: -
RETURN f {.id, .status, .asked, .examples, .done, .requested_at, .finished_at, failed: f:Failed,
          counts: f {turns: f.planned_turns, facts: f.planned_facts, procedures: f.planned_procedures,
                     opinions: f.planned_opinions, found_in_them: f.planned_found, given_up: f.planned_given_up}} AS forgetting
