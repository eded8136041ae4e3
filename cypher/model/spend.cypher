// Charges `$calls` calls of the language model, which are about to be made for a use, to its daily budget of `$most`,
// if that still covers all of them; else counts the request as over budget.
// params: $use, $calls, $most, $day, $now
// returns: granted
// mode: write
MERGE (u:ModelUse {name: $use})
ON CREATE SET u.since = $now, u.day = $day, u.spent = 0, u.asked = 0, u.answered = 0, u.refused = 0, u.timed_out = 0,
              u.invalid = 0, u.failed = 0, u.over_budget = 0
SET u.locked_at = $now
WITH u, CASE WHEN u.day = $day THEN u.spent ELSE 0 END AS spent
WITH u, spent, spent + $calls <= $most AS granted
SET u.day = $day, u.spent = spent + CASE WHEN granted THEN $calls ELSE 0 END,
    u.over_budget = u.over_budget + CASE WHEN granted THEN 0 ELSE 1 END
RETURN granted
