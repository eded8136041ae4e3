// Counts the outcome of a call of the language model. `$failure` says why it failed, and is empty for an answer.
// params: $use, $outcome, $failure, $now
// returns: -
// mode: write
MATCH (u:ModelUse {name: $use})
SET u.asked = u.asked + 1, u[$outcome] = u[$outcome] + 1
WITH u, $failure = '' AS answered
SET u.answered_at = CASE WHEN answered THEN $now ELSE u.answered_at END,
    u.failed_at = CASE WHEN answered THEN u.failed_at ELSE $now END,
    u.failure = CASE WHEN answered THEN u.failure ELSE $failure END
