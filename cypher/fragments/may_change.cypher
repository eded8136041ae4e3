// Whether the viewer may correct, reword or forget the memory `m`: its owner, or a member of its chat (P4).
// expects: m, my_chats (fragment my_chats)
// params: $viewer
WITH *, m.owner_id = $viewer OR m.chat_id IN my_chats AS allowed
