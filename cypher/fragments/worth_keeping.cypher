// Keeps of the memories `m` those that may be archived, with how much each is `worth`: e^(0.2 · score) / (1 + 0.01 · days since
// it was last reinforced) (T7). What is pinned never is; a summary goes with what it is made of.
// expects: m
// params: $moment, $no_end
WITH m WHERE m.retired_at = $no_end AND m.expires_at > $moment AND m.status = 'active' AND NOT coalesce(m.pinned, false)
  AND NOT m:Summary
WITH m, ($moment.epochMillis - coalesce(m.last_hit_at, m.created_at).epochMillis) / 86400000.0 AS days
WITH m, exp(0.2 * m.score) / (1 + 0.01 * CASE WHEN days > 0 THEN days ELSE 0.0 END) AS worth
