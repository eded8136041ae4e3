// The counts of calls of the language model for each use, by outcome.
// params: $day
// returns: name, since, asked, answered, refused, timed_out, invalid, failed, over_budget, spent_today, answered_at, failed_at, failure
// mode: read
MATCH (u:ModelUse)
RETURN u.name AS name, u.since AS since, u.asked AS asked, u.answered AS answered, u.refused AS refused,
       u.timed_out AS timed_out, u.invalid AS invalid, u.failed AS failed, u.over_budget AS over_budget,
       CASE WHEN u.day = $day THEN u.spent ELSE 0 END AS spent_today, u.answered_at AS answered_at,
       u.failed_at AS failed_at, u.failure AS failure
ORDER BY name
