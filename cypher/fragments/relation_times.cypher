// Updates the validity of the relations that the memory `m` is evidence of (M11). Every write that gives a memory an
// end, removes its end or retires it includes this.
// expects: m
CALL (m) {
  MATCH (m)-[:ABOUT]->(:Entity)-[related:RELATED_TO]-(:Entity) WHERE m.id IN related.evidence
  WITH DISTINCT related
  // include: evidence_times
}
