// Sets the `viewpoint` to where the viewer sees most of the memory `m`, with all personas: alone, and in its own chat
// if they take part there, else in any group of theirs, since all groups but its own judge a memory alike. For a memory
// of a space only chats of that space count, and none if the viewer looks within another (`$space`, P7). A viewer
// chooses these places freely, so they may see what they may see there; the fragment `visible`, which follows, decides
// that.
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
