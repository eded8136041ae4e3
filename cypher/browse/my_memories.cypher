// A page of the viewer's own memories, those of their chats and those about them that pass the filters, newest first.
// Each memory is judged from where the viewer sees most of it.
// params: $until, $until_id, $limit
// returns: memory, pending, entities
// mode: read

// include: my_chats
// include: own_memories
WITH * WHERE m.event_time < $until OR (m.event_time = $until AND m.id < $until_id)
// include: matching
WITH * ORDER BY m.event_time DESC, m.id DESC
// include: viewpoint_of_memory
// include: visible
WITH m, viewpoint ORDER BY m.event_time DESC, m.id DESC LIMIT $limit
// include: as_memory
ORDER BY m.event_time DESC, m.id DESC
