// Keeps of the memories `m` those that the viewer may see from where they stand, at the two times of the read (P1, P2,
// M14, M15, W6). This is the one statement of the rule: every statement that returns memories, or anything computed from
// them, includes it, and `graph.access.oracle` says the same in plain Python for the tests. What is made of several
// memories is shown to whoever may see all of them too, as they were worded then.
// expects: m, viewpoint (one of the fragments viewpoint_*)
// params: -
WITH *, m AS judged, COLLECT { MATCH (m:Summary)-[:DERIVED_FROM]->(source:Memory) RETURN source } AS judged_sources
CALL (judged, judged_sources, viewpoint) {
  UNWIND [judged] + judged_sources AS m
  WITH m, viewpoint, judged WHERE m = judged OR NOT coalesce(m.changed_at > judged.created_at, false)
  // include: rule
  // What somebody says of themselves stands in the place of hearsay, for whoever may see it.
  WITH *, m AS hearsay
  CALL (hearsay, viewpoint) {
    WITH hearsay, viewpoint WHERE hearsay.outranked
    MATCH (m:Memory)-[:SUPERSEDES {outranks: true}]->(hearsay)
    // What somebody tells of themselves in advance does so from the day on which it takes effect (M14).
    WHERE coalesce(m.takes_effect_at <= coalesce(viewpoint.as_of, $as_of), true)
    // include: rule
    RETURN count(*) > 0 AS outranked
  }
  WITH * WHERE NOT outranked
  RETURN count(m) AS judged_seen
}
WITH * WHERE judged_seen = 1 + size(judged_sources)
