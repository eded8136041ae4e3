// Updates the labels of memories that are derived from the memory `evidence` to what their evidence asks for now (M15).
// All who do this take the locks in the same order.
// expects: evidence
// params: $no_end
CALL (evidence) {
  MATCH (evidence)<-[:DERIVED_FROM]-(m:Memory) WHERE m.retired_at = $no_end
  WITH DISTINCT m ORDER BY m.id
  // include: derived_labels
}
