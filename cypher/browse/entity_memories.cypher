// A page of the memories that mention an entity or are about it, newest first. Each memory is judged from where the
// viewer sees most of it.
// params: $entity, $until, $until_id, $limit
// returns: memory, pending, entities
// mode: read

// include: my_chats
MATCH (:Entity {id: $entity})<-[:ABOUT|MENTIONS]-(m:Memory)
WHERE m.event_time < $until OR (m.event_time = $until AND m.id < $until_id)
WITH DISTINCT m, my_chats, my_groups
// include: reachable
WITH * ORDER BY m.event_time DESC, m.id DESC
// include: viewpoint_of_memory
// include: visible
WITH m, viewpoint ORDER BY m.event_time DESC, m.id DESC LIMIT $limit
// include: as_memory
ORDER BY m.event_time DESC, m.id DESC
