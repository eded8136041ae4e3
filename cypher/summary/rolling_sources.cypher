// The sources for a summary of the talk of a scope, a persona and a space: the last `$most` turns, and the facts of the
// scope that were extracted from them. Limited to what everybody with access to that scope may see.
// params: $group, $persona, $space_id, $scope, $most
// returns: source
// mode: read
// slots: a, b

WITH 1 AS one
// include: viewpoint_of_scope(group=$group, persona=$persona, space=$space_id)
CALL (viewpoint) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = $scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
    AND m.turn IS NOT NULL AND m.persona_id = $persona AND m.space_id = $space_id
  // include: visible
  WITH m ORDER BY m.scope DESC, m.event_time DESC, m.id DESC LIMIT $most
  RETURN collect(m) AS turns
}
// include: sources_of_turns
