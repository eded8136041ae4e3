// Ends a statement with the summary sources from the memories `turns`, in the order of time: the turns, and the facts
// of the scope that were found in them.
// expects: viewpoint, turns
// params: $scope
CALL (viewpoint, turns) {
  UNWIND turns AS m
  RETURN m, [] AS found_in
UNION
  UNWIND turns AS turn
  MATCH (turn)<-[:DERIVED_FROM]-(m:Memory) WHERE m.scope = $scope AND NOT m:Summary
  WITH m, viewpoint, collect(turn.id) AS found_in
  // include: visible
  RETURN m, found_in
}
// include: as_source
ORDER BY m.event_time, m.turn, m.id
