// Puts the viewer into a scope: the owner alone, or in a group nobody, who sees there what everybody sees.
// expects: -
// takes: group, persona
// params: -
WITH *, {
  group: CASE $$group WHEN '' THEN null ELSE $$group END, private: null, alone: $$group = '', persona: $$persona
} AS viewpoint
