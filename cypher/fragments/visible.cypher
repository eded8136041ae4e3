// Filters the memories `m` to those that the viewer may see from their viewpoint, at the two times of the read (P1, P2,
// M14, M15, W6). This is the only statement of the rule: every statement that returns memories, or anything computed
// from them, includes it, and `benchmarks.oracle` implements it in plain Python for the tests. A summary is shown only
// to those who may see all its sources too, and not if one was reworded since. If the viewpoint has `groups`, for a
// read outside any chat, the viewer stands in the group that a memory belongs to, else in the first that fits its
// space, as in viewpoint_of_memory.
// expects: m, viewpoint (one of the fragments viewpoint_*)
// params: -
WITH *, [each IN viewpoint.groups WHERE m.space_id IN ['', each.space]] AS fitting
WITH *, coalesce([each IN fitting WHERE each.id = CASE m.chat_id WHEN '' THEN m.learned_in ELSE m.chat_id END][0], fitting[0]) AS home
WITH *, CASE WHEN home IS NULL THEN viewpoint ELSE viewpoint {.*, group: home.id, space: home.space} END AS standing,
     [m] + COLLECT { MATCH (m:Summary)-[:DERIVED_FROM]->(source:Memory) RETURN DISTINCT source } AS judged
// `judged` is `m`, then its sources. `m` gets no second name here: the planner would give the order of an index to that
// name, and sort all rows.
CALL (judged, standing) {
  UNWIND judged AS stated
  WITH stated, standing AS viewpoint WHERE stated = judged[0] OR NOT coalesce(stated.changed_at > judged[0].created_at, false)
  // What somebody says of themselves replaces hearsay for whoever may see it. What they announce does so from the day
  // on which it takes effect (M14).
  UNWIND [stated] + COLLECT {
    MATCH (own:Memory)-[:SUPERSEDES {outranks: true}]->(stated)
    WHERE stated.outranked AND coalesce(own.takes_effect_at <= coalesce(viewpoint.as_of, $as_of), true)
    RETURN own
  } AS m
  // include: rule
  WITH stated, collect(m) AS seen WHERE seen = [stated]
  RETURN count(stated) AS holding
}
WITH * WHERE holding = size(judged)
