// Archived memories whose ids begin like this, as far as the viewer may see them anywhere, also such as have ended.
// params: $prefix, $limit
// returns: id
// mode: read

// include: my_chats
MATCH (m:Memory) WHERE m.id STARTS WITH $prefix AND m:Archived
// include: viewpoint_of_memory
// include: at_any_time
WITH my_chats, my_groups, m, viewpoint {.*, status: 'archived'} AS viewpoint
// include: visible
RETURN m.id AS id LIMIT $limit
