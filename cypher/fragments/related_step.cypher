// Collects as `$$to` up to 20 entities that `$$from` is related to by a step {predicate, outward}, if the viewer may
// see a memory that states the relation. If `outward`, `$$from` is the start of the relation (the `predicate` of the
// other), else its end.
// expects: viewpoint (fragment viewpoint_of_request)
// takes: from, to, step
CALL ($$from, viewpoint, row) {
  WITH $$from AS node, viewpoint, $$step AS step WHERE step IS NOT NULL
  MATCH (node)-[related:RELATED_TO {predicate: step.predicate}]-(other:Entity)
  WHERE step.outward = (startNode(related) = node)
  CALL (related, viewpoint) {
    UNWIND related.evidence AS evidence_id
    MATCH (m:Memory {id: evidence_id})
    // include: visible
    WITH m LIMIT 1
    RETURN count(m) > 0 AS holds
  }
  WITH other, holds WHERE holds
  WITH other ORDER BY other.id LIMIT 20
  RETURN collect(DISTINCT other) AS $$to
}
