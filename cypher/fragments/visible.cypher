// Keeps of the memories `m` those that the viewer may see from where they stand, at the two times of the read (P1, P2,
// M14, M15, W6). This is the one statement of the rule: every statement that returns memories, or anything computed from
// them, includes it, and `benchmarks.oracle` says the same in plain Python for the tests. What is made of several
// memories is shown to whoever may see all of them too, as they were worded then.
// expects: m, viewpoint (one of the fragments viewpoint_*)
// params: -
WITH *, m AS judged, COLLECT { MATCH (m:Summary)-[:DERIVED_FROM]->(source:Memory) RETURN DISTINCT source } AS sources
CALL (judged, sources, viewpoint) {
  UNWIND [judged] + sources AS stated
  WITH stated, viewpoint, judged WHERE stated = judged OR NOT coalesce(stated.changed_at > judged.created_at, false)
  // What somebody says of themselves stands in the place of hearsay, for whoever may see it; what they tell in advance
  // does so from the day on which it takes effect (M14).
  UNWIND [stated] + COLLECT {
    MATCH (own:Memory)-[:SUPERSEDES {outranks: true}]->(stated)
    WHERE stated.outranked AND coalesce(own.takes_effect_at <= coalesce(viewpoint.as_of, $as_of), true)
    RETURN own
  } AS m
  // include: rule
  WITH stated, collect(m) AS seen WHERE seen = [stated]
  RETURN count(stated) AS holding
}
WITH * WHERE holding = 1 + size(sources)
