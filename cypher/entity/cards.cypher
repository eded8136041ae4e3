// The facts on the cards of entities: of those with the keys `$keys`, then of those that the memories `$found` mention
// or are about, in this order. A card has the first `$most` facts that are significant to the viewer or pinned by
// them, ordered by pinned, about the entity (not only mentioning it), importance, not weighed by another's hand (P6),
// frame and newest (R7). For an entity of `$keys` without such facts it has its other facts in the same order. What
// the entity reports of others is not on its card unless the viewer pinned it. An entity without facts has no row.
// params: $keys, $found, $frames, $most
// returns: key, memory, pending, entities
// mode: read

// include: viewpoint_of_request
CALL (viewpoint) {
  UNWIND range(0, size($keys) - 1) AS rank
  MATCH (e:Entity {key: $keys[rank]})
  RETURN e, rank
UNION ALL
  UNWIND range(0, size($found) - 1) AS rank
  MATCH (m:Memory {id: $found[rank]})
  // include: visible
  MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity)
  RETURN e, size($keys) + rank AS rank
}
WITH viewpoint, e, min(rank) AS rank, min(rank) < size($keys) AS asked
CALL (e, viewpoint) {
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  WHERE m.importance >= 2 OR m.grown_importance >= 2 OR m.pinned
  WITH DISTINCT m, e, viewpoint
  // include: effective_importance
  // include: frame_rank
  WITH *, EXISTS { (m)-[:ABOUT]->(e) } AS about WHERE weight >= 2
  // include: reported
  WITH * WHERE pinned_by_viewer OR NOT reported
  // Sorted before the rule, so that it judges no more facts than are shown.
  WITH * ORDER BY pinned_by_viewer DESC, about DESC, weight DESC, weighed DESC, frame_rank, m.event_time DESC, m.id
  // include: visible
  WITH * ORDER BY pinned_by_viewer DESC, about DESC, weight DESC, weighed DESC, frame_rank, m.event_time DESC, m.id LIMIT $most
  RETURN collect(m) AS significant
}
CALL (e, viewpoint, asked, significant) {
  WITH e, viewpoint WHERE asked AND size(significant) = 0
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  WHERE NOT m:Episodic AND NOT m:Summary
  WITH DISTINCT m, e, viewpoint
  // include: effective_importance
  // include: frame_rank
  WITH *, EXISTS { (m)-[:ABOUT]->(e) } AS about
  // include: reported
  WITH * WHERE NOT reported
  WITH * ORDER BY about DESC, weight DESC, weighed DESC, frame_rank, m.event_time DESC, m.id
  // include: visible
  WITH * ORDER BY about DESC, weight DESC, weighed DESC, frame_rank, m.event_time DESC, m.id LIMIT $most
  RETURN collect(m) AS others
}
WITH viewpoint, e, rank, significant + others AS facts
UNWIND range(0, size(facts) - 1) AS number
WITH viewpoint, e, rank, number, facts[number] AS m
// include: memory_values
RETURN e.key AS key, memory, pending, entities ORDER BY rank, e.key, number
