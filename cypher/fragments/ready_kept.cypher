// Filters the claimed sessions `s` to those that are `ready`. The others are requeued, due at `$later`; their attempt
// does not count.
// expects: s, ready
// params: $later
FOREACH (early IN CASE WHEN ready THEN [] ELSE [s] END |
  SET early.due_at = $later, early.attempts = early.attempts - 1
  REMOVE early.worker
)
WITH s WHERE ready
