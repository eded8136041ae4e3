// Notes the causes that were found among turns of a session that a worker holds, and that their links were examined.
// A cause and its effect lie in one scope and with one persona, and both still stand. The session goes off the queue
// unless more of it is `$left` or it was put there for something else meanwhile.
// params: $id, $worker, $examined, $rows, $left, $now, $no_end
// returns: causes
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
WITH s, $left OR s.job <> 'infer_causes' AS again
SET s.due_at = CASE WHEN again THEN $now END, s.attempts = CASE WHEN again THEN 0 END
REMOVE s.worker, s.failure
FOREACH (done IN CASE WHEN again THEN [] ELSE [s] END | REMOVE done:Pending, done.job)
WITH s
CALL (s) {
  UNWIND $examined AS id
  MATCH (:Memory {id: id})<-[link:TEMPORAL]-(one:Memory) WHERE one.session_id = s.id
  SET link.examined_at = $now
}
CALL () {
  UNWIND $rows AS row
  MATCH (cause:Memory {id: row.cause}), (effect:Memory {id: row.effect})
  WHERE cause.scope = effect.scope AND cause.persona_id = effect.persona_id AND cause <> effect
    AND cause.retired_at = $no_end AND effect.retired_at = $no_end
  MERGE (cause)-[r:CAUSAL]->(effect)
  ON CREATE SET r.created_at = $now, r.weight = 1.0, r.confidence = row.confidence, r.valid_from = $now,
                r.valid_until = $no_end, r.evidence = row.evidence, r.predicate = row.predicate
  RETURN count(r) AS causes
}
RETURN causes
