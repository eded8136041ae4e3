// The todo `t` with the ids of the memories in which it was found: an expression.
// expects: t
// params: -
t {.*, sources: COLLECT { MATCH (t)-[:DERIVED_FROM]->(m) RETURN m.id ORDER BY m.id }} AS todo
