// Sets the `viewpoint` to the chat `c`, in which the viewer takes part, with the persona $$persona (null: with all
// personas).
// expects: c
// takes: persona
// params: -
WITH *, {
  group: CASE c.kind WHEN 'group' THEN c.id END,
  private: CASE c.kind WHEN 'private' THEN c.id END,
  alone: c.kind = 'private',
  space: coalesce(c.space_id, ''),
  within: coalesce(c.space_id, ''),
  every_space: false,
  persona: $$persona,
  every_persona: $$persona IS NULL
} AS viewpoint
