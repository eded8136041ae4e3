// Chats with one of these ids or titles, in any case, if the viewer takes part in them.
// params: $ids, $titles
// returns: chat
// mode: read

// include: my_chats
MATCH (c:Chat) WHERE c.id IN my_chats AND (c.id IN $ids OR toLower(c.title) IN [title IN $titles | toLower(title)])
RETURN c {.id, .kind, .title, .created_at, .extraction, .space_id, .time_zone} AS chat
