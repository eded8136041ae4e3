// Keeps the believed facts `m` that have faded by `$moment`, with the time when they did (`faded_at`). Archived facts
// do not fade, nor do facts that expired before.
// expects: m
// params: $moment, $no_end
WITH m WHERE m.retired_at = $no_end AND m.status = 'active'
// include: fades
WHERE faded_at <= $moment AND faded_at < m.expires_at
