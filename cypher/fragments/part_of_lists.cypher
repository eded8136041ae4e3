// Which part of a ranked list a memory `m` belongs to: `turns` (with summaries, what was read out and what is told of an
// event), `own` (in a group the facts of the viewer and those learned there, outside of groups all), or `elsewhere`.
// expects: m
// params: $viewer, $group
WITH *, CASE WHEN m:Episodic OR m:Summary THEN 'turns'
             WHEN $group = '' OR m.scope IN [$viewer, $group] OR m.learned_in = $group THEN 'own'
             ELSE 'elsewhere' END AS part
