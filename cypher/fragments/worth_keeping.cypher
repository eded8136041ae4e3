// Filters the memories `m` to those that may be archived, and computes the `worth` of each:
// e^(0.2 · score) / (1 + 0.01 · days since the last reinforcement) (T7). Pinned memories never may; a summary follows
// its sources.
// expects: m
// params: $moment, $no_end
WITH m WHERE m.retired_at = $no_end AND m.expires_at > $moment AND m.status = 'active' AND NOT coalesce(m.pinned, false)
  AND NOT m:Summary
WITH m, ($moment.epochMillis - coalesce(m.last_hit_at, m.created_at).epochMillis) / 86400000.0 AS days
WITH m, exp(0.2 * m.score) / (1 + 0.01 * CASE WHEN days > 0 THEN days ELSE 0.0 END) AS worth
