// The confidence of the memory `m` at the time of the read, to four decimal places: the stored confidence c, which
// recalls raise, decayed since the last access to c · e^(−λ · d^0.8) after d days (T2; `graph.retention.confidence`).
// An expression.
// expects: m
// params: $known_at
round(m.confidence * exp(-m.decay_rate * CASE
  WHEN coalesce(m.last_accessed_at, m.created_at) >= $known_at THEN 0.0
  ELSE (($known_at.epochMillis - coalesce(m.last_accessed_at, m.created_at).epochMillis) / 86400000.0) ^ 0.8
END), 4)
