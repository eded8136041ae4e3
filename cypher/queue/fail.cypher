// Notes why memories and entities could not be worked on: they are tried again at `due_at`, or with none given put
// aside as failed.
// params: $rows, $worker, $now
// returns: id
// mode: write
UNWIND $rows AS row
MATCH (held:Memory|Entity {id: row.id}) WHERE held:Pending AND held.worker = $worker
SET held.failure = row.reason, held.due_at = row.due_at
REMOVE held.worker, held.claim_lock
FOREACH (lost IN CASE WHEN row.due_at IS NULL THEN [held] ELSE [] END |
  SET lost:Failed, lost.failed_at = $now
  REMOVE lost:Pending
)
RETURN held.id AS id
