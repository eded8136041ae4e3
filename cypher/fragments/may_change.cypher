// Computes `allowed`: whether the viewer may correct, reword or forget the memory `m`. Its owner and the members of its
// chat may (P4).
// expects: m, my_chats (fragment my_chats)
// params: $viewer
WITH *, m.owner_id = $viewer OR m.chat_id IN my_chats AS allowed
