// Sets the `viewpoint` to a scope: the owner alone, or a group, where the viewer is nobody and sees what everybody
// there sees; within a space, or within none (`''`).
// expects: -
// takes: group, persona, space
// params: -
WITH *, {
  group: CASE $$group WHEN '' THEN null ELSE $$group END, private: null, alone: $$group = '', persona: $$persona,
  space: $$space, within: $$space, every_space: false
} AS viewpoint
