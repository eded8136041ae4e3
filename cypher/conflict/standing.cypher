// Locks a turn and a fact that it retracts; without a row, one of them is retired.
// params: $turn, $fact, $now, $no_end
// returns: id
// mode: write
UNWIND [$turn, $fact] AS id
MATCH (m:Memory {id: id})
WITH m ORDER BY m.id
SET m.lock = $now
WITH collect(m) AS both
WHERE size(both) = 2 AND all(m IN both WHERE m.retired_at = $no_end)
RETURN $fact AS id
