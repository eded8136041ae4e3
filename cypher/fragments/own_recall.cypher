// Computes how the viewer recalled the memory `m`, as known at the time of the read: `own_recall_at`, the last recall
// or else the creation, and `own_stability`, the stability from then on. For anybody but the owner it counts as never
// recalled: null stands for the stability that its emotion gives it (T1).
// expects: m
// params: $viewer, $known_at
WITH *, m.owner_id = $viewer AS own,
     coalesce([place IN range(0, size(coalesce(m.recalled_at, [])) - 1) WHERE m.recalled_at[place] <= $known_at][-1], 0) AS recalled
WITH *, CASE WHEN own THEN coalesce(m.recalled_at[recalled], m.created_at) ELSE m.created_at END AS own_recall_at,
     CASE WHEN own THEN coalesce(m.stabilities[recalled], m.stability) END AS own_stability
