// Computes the `part` of a ranked list that a memory `m` belongs to: `turns` (with summaries, documents and other
// episodic memories), `own` (in a group, facts of the viewer or the group and those learned there; else all facts), or
// `elsewhere`.
// expects: m
// params: $viewer, $group
WITH *, CASE WHEN m:Episodic OR m:Summary THEN 'turns'
             WHEN $group = '' OR m.scope IN [$viewer, $group] OR m.learned_in = $group THEN 'own'
             ELSE 'elsewhere' END AS part
