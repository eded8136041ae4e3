// Keeps of the memories `m` those whose time overlaps the stretch from `$since` to `$until`. What is known by the day, the
// month or the year lasts until the end of that (M2).
// expects: m
// params: $since, $until
WITH * WHERE m.event_time < $until AND coalesce(m.event_until, m.event_time) >= $since
