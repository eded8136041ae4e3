// The chats of a space in which the viewer takes part, newest first, from a place in the list on.
// params: $of_space, $before, $before_id, $limit
// returns: chat
// mode: read

// include: my_chats
MATCH (c:Chat {space_id: $of_space})
WHERE c.id IN my_chats AND (c.created_at < $before OR c.created_at = $before AND c.id < $before_id)
RETURN c {.id, .kind, .title, .created_at, .extraction, .space_id} AS chat ORDER BY c.created_at DESC, c.id DESC LIMIT $limit
