// Which part of a ranked list a memory `m` belongs to: `turns` (with summaries, what was read out and what is told of an
// event), `own` (facts of the viewer and those learned here), or `elsewhere`.
// expects: m
// params: $viewer, $chat
WITH *, CASE WHEN m:Episodic OR m:Summary THEN 'turns'
             WHEN m.scope IN [$viewer, $chat] OR $chat <> '' AND m.learned_in = $chat THEN 'own'
             ELSE 'elsewhere' END AS part
