// How important the memory `m` is: as it was set, or has grown to be by being said again; pinned it counts as 3 (M2, W9).
// expects: m
// params: -
WITH *, CASE WHEN m.pinned THEN 3 WHEN m.grown_importance > m.importance THEN m.grown_importance ELSE m.importance END AS weight
