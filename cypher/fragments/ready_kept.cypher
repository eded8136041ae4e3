// Keeps the claimed sessions `s` that are `ready`. The others go back on the queue, due `$later`.
// expects: s, ready
// params: $later
FOREACH (early IN CASE WHEN ready THEN [] ELSE [s] END |
  SET early.due_at = $later, early.attempts = early.attempts - 1
  REMOVE early.worker
)
WITH s WHERE ready
