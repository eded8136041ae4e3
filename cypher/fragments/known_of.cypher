// Keeps of the entities `e` those that the viewer may know of (M15): themselves, whom they share a chat with, what they
// created, and what some memory of theirs names.
// expects: e, my_chats and my_groups (fragment my_chats)
// params: $viewer
WITH *, e.id = $viewer OR coalesce(e.created_by = $viewer, false)
  OR EXISTS { (e)-[:PARTICIPATES_IN]->(shared:Chat) WHERE shared.id IN my_chats } AS met
OPTIONAL CALL (e, met, my_chats, my_groups) {
  WITH * WHERE NOT met
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  // include: home
  // include: visible
  RETURN true AS named LIMIT 1
}
WITH * WHERE met OR named
