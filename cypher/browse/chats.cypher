// A page of the chats in which the viewer takes part, newest first: of the space `$of_space`, or of all if it is null.
// params: $of_space, $until, $until_id, $limit
// returns: chat
// mode: read

// include: my_chats
UNWIND my_chats AS mine
MATCH (c:Chat {id: mine})
WHERE c.created_at <= $until AND CASE c.created_at WHEN $until THEN c.id < $until_id ELSE true END AND ($of_space IS NULL OR c.space_id = $of_space)
RETURN c {.id, .kind, .title, .created_at, .extraction, .space_id, .time_zone} AS chat ORDER BY c.created_at DESC, c.id DESC LIMIT $limit
