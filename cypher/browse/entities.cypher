// The entities that the viewer may know of, by key, from a place in the list on (M15): themselves, whom they share a
// chat with, what they created, and what some memory of theirs names.
// params: $type, $after, $limit
// returns: entity
// mode: read

// include: my_chats
MATCH (e:Entity) WHERE e.key > $after AND ($type IS NULL OR e.type = $type)
WITH * ORDER BY e.key
WITH *, e.id = $viewer OR coalesce(e.created_by = $viewer, false)
  OR EXISTS { (e)-[:PARTICIPATES_IN]->(shared:Chat) WHERE shared.id IN my_chats } AS met
OPTIONAL CALL (e, met, my_chats, my_groups) {
  WITH * WHERE NOT met
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  // include: home
  // include: visible
  RETURN true AS named LIMIT 1
}
WITH e WHERE met OR named
RETURN e {.id, .key, .type, .canonical_name, .aliases, .usernames} AS entity
ORDER BY e.key LIMIT $limit
