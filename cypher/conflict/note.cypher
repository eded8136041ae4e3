// Writes which facts contradict each other, if neither is retired, and takes the session off the queue, if the worker
// still holds it. It stays there if it was queued for another job meanwhile. `$open` says that the language model gave
// no answer, so that contradictions are looked for again later.
// params: $id, $worker, $rows, $open, $started, $now, $no_end
// returns: -
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
WITH s, s.job <> 'find_conflicts' AS again
SET s.due_at = CASE WHEN again THEN $now END, s.attempts = CASE WHEN again THEN 0 END,
    s.conflicts_at = CASE WHEN $open THEN s.conflicts_at ELSE $started END
REMOVE s.worker, s.failure
FOREACH (done IN CASE WHEN again THEN [] ELSE [s] END | REMOVE done:Pending, done.job)
// include: owed(session=s, use='conflicts', open=$open)
WITH s
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {id: row.later}), (other:Memory {id: row.earlier})
  WHERE m.scope = other.scope AND m.persona_id = other.persona_id AND m.space_id = other.space_id AND m.retired_at = $no_end AND other.retired_at = $no_end
  MERGE (m)-[r:CONTRADICTS]->(other)
  ON CREATE SET r.created_at = $now, r.weight = 1.0, r.confidence = row.confidence, r.valid_from = $now,
                r.valid_until = $no_end
}
