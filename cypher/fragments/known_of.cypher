// Keeps the entities `e` that the viewer may know of (M15, P4): themselves, those they created, people who have an
// account or a username, those who share a chat with them (all these are `met`), and what a memory is about or
// mentions that they may see. Whoever may know of an entity may refer to it; for others it does not exist.
// expects: e, my_chats and my_groups (fragment my_chats)
// params: $viewer
WITH *, e.id = $viewer OR coalesce(e.created_by = $viewer, false)
  OR e:Person AND (e.user_id IS NOT NULL OR size(e.usernames) > 0)
  OR EXISTS { (e)-[:PARTICIPATES_IN]->(shared:Chat) WHERE shared.id IN my_chats } AS met
OPTIONAL CALL (e, met, my_chats, my_groups) {
  WITH * WHERE NOT met
  MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory)
  // include: reachable
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: visible
  RETURN true AS named LIMIT 1
}
WITH * WHERE met OR named
