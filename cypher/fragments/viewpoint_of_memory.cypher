// Puts the viewer where they see most of the memory `m`, with all personas: alone, and into its own chat as well if
// they take part there, else into any group of theirs, since in all groups but its own a memory is judged alike. What is of
// a space is looked at in chats of that space, and by who looks `within` another not at all (P7). A viewer chooses these freely,
// so what they may see there they may see; the fragment `visible`, which follows, decides whether they do.
// expects: m, my_chats and my_groups (fragment my_chats)
// params: $space
WITH *, CASE m.chat_id WHEN '' THEN m.learned_in ELSE m.chat_id END AS home
WITH *, CASE WHEN m.space_id = '' THEN my_chats WHEN $space <> m.space_id THEN [] ELSE COLLECT {
  MATCH (fitting:Chat {space_id: m.space_id}) WHERE fitting.id IN my_chats
  RETURN fitting.id ORDER BY fitting.id
} END AS chats_there
WITH *, CASE WHEN home IN my_groups AND home IN chats_there THEN home
             ELSE head([chat IN chats_there WHERE chat IN my_groups]) END AS standing
WITH *, {
  group: standing,
  private: CASE WHEN home IN chats_there AND NOT home IN my_groups THEN home END,
  alone: true,
  space: CASE WHEN m.space_id <> '' THEN m.space_id WHEN standing IS NULL THEN ''
              ELSE COLLECT { MATCH (there:Chat {id: standing}) RETURN coalesce(there.space_id, '') }[0] END,
  within: $space,
  every_space: $space IS NULL,
  every_persona: true
} AS viewpoint
