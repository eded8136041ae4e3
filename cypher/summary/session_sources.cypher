// The sources for a summary of a session: its last `$most` turns, and the facts of its scope that were extracted from
// them. Limited to what everybody with access to that scope may see.
// params: $session, $group, $persona, $space_id, $scope, $most
// returns: source
// mode: read
// slots: a, b

WITH 1 AS one
// include: viewpoint_of_scope(group=$group, persona=$persona, space=$space_id)
CALL (viewpoint) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = $session AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
  // include: visible
  WITH m ORDER BY m.session_id DESC, m.event_time DESC, m.turn DESC LIMIT $most
  RETURN collect(m) AS turns
}
// include: sources_of_turns
