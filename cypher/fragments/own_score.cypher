// How the memory `m` served the viewer, as it was known at the time of the read: the sum of what they reinforced and demoted,
// `own_score`, and since when it was reinforced last, or made, `own_hit_at`. It is 0 for who does not own it (T5). A cursor
// fixes both: what is said between two pages comes later (R4). Of older changes than are kept the oldest stands.
// expects: m
// params: $viewer, $known_at
WITH *, m.owner_id = $viewer AS own,
     coalesce([place IN range(0, size(coalesce(m.scored_at, [])) - 1) WHERE m.scored_at[place] <= $known_at][-1], 0) AS scored
WITH *, CASE WHEN own THEN coalesce(m.scores[scored], m.score) ELSE 0 END AS own_score,
     CASE WHEN own THEN coalesce(
       m.scored_at[coalesce([place IN range(1, scored) WHERE m.scores[place] > m.scores[place - 1]][-1], 0)],
       m.last_hit_at, m.created_at
     ) ELSE m.created_at END AS own_hit_at
