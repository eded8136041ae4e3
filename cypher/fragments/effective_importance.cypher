// How important the memory `m` is to the viewer, as `weight`: as it was set, or has grown to be by being said again; what
// they pinned counts as 3 (M2, W9). Others' pins count for nothing, and what others gave their facts by hand as the default
// (P6): `weighed` is what the viewer said or owns, what an extractor weighed, and turns.
// expects: m
// params: $viewer
WITH *, $viewer IN coalesce(m.pinned_by, []) AS pinned_by_viewer,
     m:Episodic OR m.source IN ['extraction', 'consolidation'] OR $viewer IN [m.speaker_id, m.owner_id] AS weighed
WITH *, CASE WHEN pinned_by_viewer THEN 3 WHEN NOT weighed THEN 1
             WHEN m.grown_importance > m.importance THEN m.grown_importance ELSE m.importance END AS weight
