// Lets the relations that the memory `m` says end, or begin, with it (M11). Every write that gives a memory an end, takes
// one away or retires it includes this.
// expects: m
CALL (m) {
  MATCH (m)-[:ABOUT]->(:Entity)-[related:RELATED_TO]-(:Entity) WHERE m.id IN related.evidence
  WITH DISTINCT related
  // include: evidence_times
}
