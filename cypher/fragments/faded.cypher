// Keeps of the memories `m` the facts that have faded by `$moment` and are still believed, with when they did (`faded_at`).
// In the archive nothing fades; what ran out before did not fade.
// expects: m
// params: $moment, $no_end
WITH m WHERE m.retired_at = $no_end AND m.status = 'active'
// include: fades
WHERE faded_at <= $moment AND faded_at < m.expires_at
