// Keeps the believed memories `m` that have expired by `$moment` (T3). Pinned and confirmed memories never expire.
// expects: m
// params: $moment, $no_end
WITH m WHERE m.retired_at = $no_end AND m.expires_at <= $moment
