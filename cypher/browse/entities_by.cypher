// Entities by their ids or keys, as far as the viewer may know of them (M15): themselves, whom they share a chat with,
// what they created, and what some memory of theirs names.
// params: $ids, $keys
// returns: entity
// mode: read

// include: my_chats
MATCH (e:Entity) WHERE e.id IN $ids OR e.key IN $keys
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
