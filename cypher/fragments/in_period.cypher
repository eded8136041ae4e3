// Keeps the memories `m` whose time overlaps the period from `$since` to `$until`. A time known to the day, the month
// or the year lasts until the end of that (M2).
// expects: m
// params: $since, $until
WITH * WHERE m.event_time < $until AND coalesce(m.event_until, m.event_time) >= $since
