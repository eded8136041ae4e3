// Puts the viewer into the chat `c`, in which they take part, with the persona of the memory `m`.
// expects: c, m
// params: -
WITH *, {
  group: CASE c.kind WHEN 'group' THEN c.id END,
  private: CASE c.kind WHEN 'private' THEN c.id END,
  alone: c.kind = 'private',
  persona: m.persona_id
} AS viewpoint
