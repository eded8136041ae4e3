// Converts the value `s` of a person's state to what `graph.people.user_state` reads. An end that is not known yet is
// null.
// expects: s, known_at (fragment state_times)
WITH *, s {.id, .key, .value, .persona_id, .valid_from, .created_at, for_groups: coalesce(s.for_groups, false),
           valid_until: CASE WHEN s.ended_at <= known_at THEN s.valid_until END} AS state
