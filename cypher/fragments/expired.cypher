// Keeps of the memories `m` those that are believed and have run out by `$moment` (T3). What is pinned or confirmed never does.
// expects: m
// params: $moment, $no_end
WITH m WHERE m.retired_at = $no_end AND m.expires_at <= $moment
