// Computes how the memory `m` served the viewer, as known at the time of the read: `own_score`, the sum of their
// reinforcements and demotions, and `own_hit_at`, the last reinforcement or else the creation. For anybody but the
// owner the score is 0 (T5). A cursor fixes the time of the read, so changes between two pages do not count (R4).
// Before the oldest change that is kept, its score counts.
// expects: m
// params: $viewer, $known_at
WITH *, m.owner_id = $viewer AS own,
     coalesce([place IN range(0, size(coalesce(m.scored_at, [])) - 1) WHERE m.scored_at[place] <= $known_at][-1], 0) AS scored
WITH *, CASE WHEN own THEN coalesce(m.scores[scored], m.score) ELSE 0 END AS own_score,
     CASE WHEN own THEN coalesce(
       m.scored_at[coalesce([place IN range(1, scored) WHERE m.scores[place] > m.scores[place - 1]][-1], 0)],
       m.last_hit_at, m.created_at
     ) ELSE m.created_at END AS own_hit_at
