// Takes an act of forgetting off the queue. After a purge it keeps only counts of what was purged.
// params: $erasure_id, $worker, $status, $now
// returns: -
// mode: write

// include: held_erasure
SET erasure.status = $status, erasure.finished_at = $now,
    erasure.forgotten_at = CASE WHEN $status = 'forgotten' THEN $now ELSE erasure.forgotten_at END
REMOVE erasure:Pending, erasure.job, erasure.due_at, erasure.worker, erasure.attempts, erasure.failure, erasure.lock
FOREACH (one IN CASE WHEN $status = 'purged' THEN [erasure] ELSE [] END |
  SET one.asked = [], one.examples = [], one.chats = [], one.removed = [], one.rewritten = []
)
