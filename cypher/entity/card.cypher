// What the viewer may see of entities from where they stand: how many memories name each or are about it, and the
// weightiest of those that are significant or pinned (R7).
// params: $keys, $most
// returns: key, mentions, facts
// mode: read

// include: viewpoint_of_request
UNWIND $keys AS key
MATCH (e:Entity {key: key})
CALL (e, viewpoint) {
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  WITH DISTINCT m, viewpoint
  // include: visible
  // include: effective_importance
  WITH m, weight ORDER BY coalesce(m.pinned, false) DESC, weight DESC, m.event_time DESC, m.id
  RETURN count(m) AS mentions, collect(CASE WHEN weight >= 2 THEN m.id END)[..$most] AS facts
}
RETURN key, mentions, facts
