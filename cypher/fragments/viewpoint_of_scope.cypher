// Puts the viewer into a scope: the owner alone, or in a group nobody, who sees there what everybody sees; within a space, or
// within none (`''`).
// expects: -
// takes: group, persona, space
// params: -
WITH *, {
  group: CASE $$group WHEN '' THEN null ELSE $$group END, private: null, alone: $$group = '', persona: $$persona,
  space: $$space, within: $$space, every_space: false
} AS viewpoint
