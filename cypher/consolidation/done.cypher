// Takes a session off the queue with what came of it, unless something was said, or it ended, in the meantime.
// params: $id, $worker, $whole, $extracted, $by_model, $read, $turn_count, $statements, $reasons, $counts, $now, $no_end
// returns: id
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.read = $read, s.statements = $statements, s.dropped_reasons = $reasons, s.dropped_counts = $counts
REMOVE s.worker, s.claim_lock, s.failure, s.failed_at, s.attempts
WITH s, s.turn_count <> $turn_count OR s.ended_at < $no_end AND NOT $whole AS changed
SET s.due_at = CASE WHEN changed THEN $now END
FOREACH (whole IN CASE WHEN $whole AND $extracted AND NOT changed THEN [s] ELSE [] END |
  SET whole.consolidated_at = $now, whole.consolidated_turns = $turn_count, whole.by_model = $by_model
  REMOVE whole.unconsolidated, whole.asked
)
RETURN s.id AS id
