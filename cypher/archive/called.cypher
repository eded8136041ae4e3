// The ids of archived memories that begin with `$prefix` and that the viewer may see anywhere, including ended ones.
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
