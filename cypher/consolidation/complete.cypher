// Writes the results of consolidating a session and takes it off the queue. It stays there if something was said, it
// ended or somebody asked for it meanwhile. Once all of it was read, it goes on to the inference of causes. `$owed`
// says that the language model still has to read it.
// params: $id, $worker, $whole, $extracted, $by_model, $owed, $read, $turn_count, $statements, $reasons, $counts, $now, $no_end
// returns: -
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.read = $read, s.statements = $statements, s.dropped_reasons = $reasons, s.dropped_counts = $counts
REMOVE s.worker, s.failure
WITH s, s.turn_count <> $turn_count OR coalesce(s.asked, false) OR NOT $whole AND s.ended_at < $no_end AS changed
WITH s, changed, $whole AND $extracted AND NOT changed AS complete
SET s.due_at = CASE WHEN changed OR complete THEN $now END, s.attempts = CASE WHEN changed OR complete THEN 0 END
FOREACH (done IN CASE WHEN changed OR complete THEN [] ELSE [s] END | REMOVE done:Pending, done.job)
FOREACH (whole IN CASE WHEN complete THEN [s] ELSE [] END |
  SET whole.consolidated_at = $now, whole.consolidated_turns = $turn_count, whole.by_model = $by_model,
      whole.job = 'infer_causes'
  REMOVE whole.unconsolidated, whole.asked
  // include: owed(session=whole, use='facts', open=$owed)
)
