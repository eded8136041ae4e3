// Memories whose ids begin with `$prefix`, retired ones too, as far as the viewer may see them anywhere.
// params: $prefix, $limit
// returns: id
// mode: read

// include: my_chats
MATCH (m:Memory) WHERE m.id STARTS WITH $prefix
// include: viewpoint_of_memory
// include: as_it_was
// include: visible
RETURN m.id AS id LIMIT $limit
