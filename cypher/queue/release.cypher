// Gives back the leases of one holder, whose workers' names all begin with `$holder`, on items of a job. The items are
// due at once, and the attempt does not count.
// params: $job, $holder, $now
// returns: released
// mode: write
MATCH (held:Pending) USING INDEX SEEK held:Pending(job, due_at)
WHERE held.job = $job AND held.due_at > $now AND held.worker STARTS WITH $holder
WITH held ORDER BY held:Entity, held.id
SET held.lock = $now
WITH held WHERE held:Pending AND held.job = $job AND held.worker STARTS WITH $holder
SET held.due_at = $now, held.attempts = held.attempts - 1
REMOVE held.worker
RETURN count(held) AS released
