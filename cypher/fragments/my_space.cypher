// Filters the spaces `s` to those that the viewer may use: their own, and those of groups in which they take part (P7).
// expects: s, my_chats (fragment my_chats)
// params: $viewer, $space
WITH * WHERE (s.owner_id = $viewer OR s.chat_id IN my_chats) AND ($space IS NULL OR s.id = $space)
