// How the viewer recalled the memory `m`, as it was known at the time of the read: when last, or since when there is
// something to recall, `own_recall_at`, and how stable it was then, `own_stability`. For who does not own it, it is as if it
// was never recalled: null is the stability that its emotion gives it (T1).
// expects: m
// params: $viewer, $known_at
WITH *, m.owner_id = $viewer AS own,
     coalesce([place IN range(0, size(coalesce(m.recalled_at, [])) - 1) WHERE m.recalled_at[place] <= $known_at][-1], 0) AS recalled
WITH *, CASE WHEN own THEN coalesce(m.recalled_at[recalled], m.created_at) ELSE m.created_at END AS own_recall_at,
     CASE WHEN own THEN coalesce(m.stabilities[recalled], m.stability) END AS own_stability
