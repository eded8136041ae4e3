// Puts the viewer where the memory `m` belongs, with its own persona: alone, and into its own chat as well if they
// take part there. A viewer chooses both freely, so what they may see there they may see; the fragment `visible`, which
// follows, decides whether they do.
// expects: m, my_chats and my_groups (fragment my_chats)
// params: -
WITH *, CASE m.chat_id WHEN '' THEN m.learned_in ELSE m.chat_id END AS home
WITH *, {
  group: CASE WHEN home IN my_groups THEN home END,
  private: CASE WHEN home IN my_chats AND NOT home IN my_groups THEN home END,
  alone: true,
  persona: m.persona_id
} AS place
