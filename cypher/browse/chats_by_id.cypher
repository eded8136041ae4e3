// Chats by their ids, as far as the viewer takes part in them.
// params: $ids
// returns: chat
// mode: read

// include: my_chats
MATCH (c:Chat) WHERE c.id IN $ids AND c.id IN my_chats
RETURN c {.id, .kind, .title, .created_at} AS chat
