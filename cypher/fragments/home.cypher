// Puts the viewer where the memory `m` belongs: into its own chat, with its own persona. A viewer chooses both freely,
// so what they may see there they may see; the fragment `visible`, which follows, decides whether they do.
// expects: m, my_chats (fragment my_chats)
// params: -
WITH *, {chat: m.chat_id, persona: m.persona_id, takes_part: m.chat_id IN my_chats} AS place
