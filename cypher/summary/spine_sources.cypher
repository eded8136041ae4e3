// The sources for a summary of a person: the `$most` weightiest facts of theirs that belong to no persona.
// params: $scope, $persona, $group, $space_id, $most
// returns: source
// mode: read
// slots: a, b

WITH 1 AS one
// include: viewpoint_of_scope(group=$group, persona=$persona, space=$space_id)
CALL (viewpoint) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = $scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
    AND NOT m:Episodic AND NOT m:Summary AND m.persona_id = ''
  // include: effective_importance
  WITH * ORDER BY weight DESC, m.event_time DESC, m.id
  // include: visible
  WITH m, weight ORDER BY weight DESC, m.event_time DESC, m.id LIMIT $most
  RETURN m, [] AS found_in
}
// include: as_source
ORDER BY weight DESC, m.event_time DESC, m.id
