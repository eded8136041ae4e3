// The todo `t` with the ids of the memories in which it was found, and the `clock` that its due time is compared with:
// an expression.
// expects: t
// params: $now, $default_zone
t {.*, sources: COLLECT { MATCH (t)-[:DERIVED_FROM]->(m) RETURN m.id ORDER BY m.id }, clock:
  // include: due_clock
} AS todo
