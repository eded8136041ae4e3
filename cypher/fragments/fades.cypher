// Computes when the memory `m` fades (`faded_at`): when its confidence c · e^(−λ · d^0.8), d days after the last
// access, falls to `$threshold` (T2; `graph.retention.confidence`). Null for memories that never fade: turns, pinned
// and confirmed ones (λ = 0), and those that would take a million days or more.
// expects: m
// params: $threshold
WITH m, coalesce(m.last_accessed_at, m.created_at) AS since, CASE
  WHEN m:Episodic OR m.decay_rate <= 0 OR coalesce(m.pinned, false) THEN null
  WHEN m.confidence <= $threshold THEN 0.0
  ELSE (log(m.confidence / $threshold) / m.decay_rate) ^ 1.25
END AS lasting
WITH m, CASE WHEN lasting < 1000000 THEN since + duration({milliseconds: toInteger(lasting * 86400000)}) END AS faded_at
