// Records why items of a worker failed. They are due again at `due_at`; without one they are given up.
// params: $rows, $worker, $now
// returns: -
// mode: write
UNWIND $rows AS row
WITH row ORDER BY row.id
// include: leased_item(id=row.id)
WITH row, held ORDER BY held:Entity, held.id
SET held.failure = row.reason, held.due_at = row.due_at
REMOVE held.worker
FOREACH (given_up IN CASE WHEN row.due_at IS NULL THEN [held] ELSE [] END |
  SET given_up:Failed, given_up.failed_at = $now
  REMOVE given_up:Pending
)
