// Sets the value of a key of the viewer's state, in a space or in none (`''`, P7), from a moment on until the next
// known value (S1). The previous value ends there. If its end was already known, or if it begins at that very moment,
// it is retired, so that what was known before is kept, and what is left of it is written anew. If the same value holds
// then already, nothing changes.
// The person is locked first: whoever holds the lock sees all of their state. Record times of one person only grow,
// whatever the clocks of the servers say, so that an answer about the past never changes.
// params: $viewer, $persona, $space, $line, $key, $value, $for_groups, $id, $rest_id, $valid_from, $now, $no_end
// returns: persona_known, state, changed, is_current
// mode: write
MATCH (p:Person {id: $viewer})
SET p.lock = $now
WITH p, CASE WHEN p.state_recorded_at >= $now THEN p.state_recorded_at + duration({microseconds: 1}) ELSE $now END AS now
OPTIONAL MATCH (persona:Persona {id: $persona})
WITH p, now, coalesce($valid_from, now) AS since, $persona = '' OR persona IS NOT NULL AS persona_known
// With the index named and its whole key as the order, each neighbour is one step, not a walk through the history.
OPTIONAL CALL (since) {
  MATCH (earlier:UserState) USING INDEX SEEK earlier:UserState(line, valid_from, id)
  WHERE earlier.line = $line AND earlier.valid_from <= since AND earlier.id IS NOT NULL AND earlier.retired_at = $no_end
  RETURN earlier AS before ORDER BY earlier.line DESC, earlier.valid_from DESC, earlier.id DESC LIMIT 1
}
OPTIONAL CALL (since) {
  MATCH (later:UserState) USING INDEX SEEK later:UserState(line, valid_from, id)
  WHERE later.line = $line AND later.valid_from > since AND later.id IS NOT NULL AND later.retired_at = $no_end
  RETURN later AS after ORDER BY later.line, later.valid_from, later.id LIMIT 1
}
WITH *, coalesce($for_groups, before.value = $value AND before.for_groups, false) AS for_groups
WITH *, persona_known AND (before IS NULL OR before.value <> $value OR coalesce(before.for_groups, false) <> for_groups)
     AS changed
WITH *,
  coalesce(before.valid_from < since, false) AS shortened,
  coalesce(before.valid_from = since OR before.ended_at < $no_end, false) AS replaced
OPTIONAL CALL (p, now, since, before, after, for_groups, changed, shortened, replaced) {
  WITH * WHERE changed
  FOREACH (rest IN CASE WHEN shortened AND replaced THEN [before] ELSE [] END |
    CREATE (again:UserState)-[:OF {created_at: now}]->(p)
    SET again = rest {.*, id: $rest_id, created_at: now, valid_until: since, ended_at: now}
  )
  FOREACH (old IN CASE WHEN replaced THEN [before] ELSE [] END | SET old.retired_at = now REMOVE old.open_key)
  FOREACH (old IN CASE WHEN shortened AND NOT replaced THEN [before] ELSE [] END |
    SET old.valid_until = since, old.ended_at = now
    REMOVE old.open_key
  )
  CREATE (s:UserState {
    id: $id, person_id: $viewer, persona_id: $persona, space_id: $space, key: $key, line: $line, value: $value,
    for_groups: for_groups, valid_from: since,
    valid_until: coalesce(after.valid_from, $no_end), created_at: now,
    ended_at: CASE WHEN after IS NULL THEN $no_end ELSE now END, retired_at: $no_end
  })-[:OF {created_at: now}]->(p)
  SET s.open_key = CASE WHEN after IS NULL THEN $line END, p.state_recorded_at = now
  RETURN s {.*} AS written
}
WITH *, coalesce(written, before {.*}) AS state
RETURN persona_known, state, changed,
       coalesce(state.valid_from <= now AND state.valid_until > now, false) AS is_current
