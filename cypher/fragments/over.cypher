// Whether the todo `t` is an open appointment whose day is over, which nobody has to close: an expression.
// expects: t
// params: $now, $default_zone
(t.status = 'open' AND coalesce(t.passes AND t.due_until <
  // include: due_clock
  , false))
