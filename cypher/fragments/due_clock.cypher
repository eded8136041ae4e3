// The time that the due time of the todo `t` is compared with: now, or for a whole day the present local time in its
// person's time zone, written as UTC. An expression.
// expects: t
// params: $now, $default_zone
CASE WHEN t.due_until > t.due_at THEN datetime({timezone: 'UTC', datetime: localdatetime(datetime({
  datetime: $now, timezone: coalesce(COLLECT { MATCH (p:Person {id: t.person_id}) RETURN p.time_zone }[0], $default_zone)
}))}) ELSE $now END
