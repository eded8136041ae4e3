// Puts the viewer where they see most of the memory `m`, with all personas: alone, and into its own chat as well if
// they take part there, else into any group of theirs, since in all groups but its own a memory is judged alike. A viewer
// chooses these freely, so what they may see there they may see; the fragment `visible`, which follows, decides whether
// they do.
// expects: m, my_chats and my_groups (fragment my_chats)
// params: -
WITH *, CASE m.chat_id WHEN '' THEN m.learned_in ELSE m.chat_id END AS home
WITH *, {
  group: CASE WHEN home IN my_groups THEN home ELSE my_groups[0] END,
  private: CASE WHEN home IN my_chats AND NOT home IN my_groups THEN home END,
  alone: true,
  every_persona: true
} AS viewpoint
