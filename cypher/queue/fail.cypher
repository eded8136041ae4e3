// Notes why memories could not be worked on: they are tried again at `due_at`, or with none given put aside as failed.
// params: $rows, $worker, $now
// returns: id
// mode: write
UNWIND $rows AS row
MATCH (m:Pending {id: row.id}) WHERE m.worker = $worker
SET m.failure = row.reason, m.due_at = row.due_at
REMOVE m.worker, m.claim_lock
FOREACH (lost IN CASE WHEN row.due_at IS NULL THEN [m] ELSE [] END |
  SET lost:Failed, lost.failed_at = $now
  REMOVE lost:Pending
)
RETURN m.id AS id
