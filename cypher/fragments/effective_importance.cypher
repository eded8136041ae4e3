// Computes the importance of the memory `m` to the viewer, as `weight`: the stored importance, or the one that it has
// grown to by repetition if that is higher; 3 if the viewer pinned it (M2, W9). Pins of others do not count. A fact
// that another person wrote by hand has the default importance, 1 (P6); `weighed` are all others: what the viewer said
// or owns, what an extractor found, and turns.
// expects: m
// params: $viewer
WITH *, $viewer IN coalesce(m.pinned_by, []) AS pinned_by_viewer,
     m:Episodic OR m.source IN ['extraction', 'consolidation'] OR $viewer IN [m.speaker_id, m.owner_id] AS weighed
WITH *, CASE WHEN pinned_by_viewer THEN 3 WHEN NOT weighed THEN 1
             WHEN m.grown_importance > m.importance THEN m.grown_importance ELSE m.importance END AS weight
