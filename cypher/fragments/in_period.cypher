// Keeps the memories `m` whose time overlaps the period from `$since` to `$until`. A time known to the day, the month
// or the year lasts until the end of that (M2).
// expects: m
// params: $since, $until, $since_day, $until_day
WITH * WHERE CASE coalesce(m.event_precision, 'minute')
  WHEN 'minute' THEN m.event_time < $until AND coalesce(m.event_until, m.event_time) >= $since
  ELSE m.event_time < $until_day AND coalesce(m.event_until, m.event_time) >= $since_day END
