// Writes the causes found among the turns of a session that a worker holds, and marks the links to the turns
// `$examined` as examined. Those to the turns `$undecided` stay open until a language model answers. A cause and its
// effect have the same scope and persona, and neither may be retired. The session goes on to the job `$next`, or off
// the queue if that is null, unless links are `$left` or it was queued for another job meanwhile.
// params: $id, $worker, $examined, $undecided, $rows, $left, $next, $now, $no_end
// returns: -
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
WITH s, CASE WHEN $left OR s.job <> 'infer_causes' THEN s.job ELSE $next END AS job
SET s.due_at = CASE WHEN job IS NOT NULL THEN $now END, s.attempts = CASE WHEN job IS NOT NULL THEN 0 END, s.job = job
REMOVE s.worker, s.failure
FOREACH (done IN CASE WHEN job IS NULL THEN [s] ELSE [] END | REMOVE done:Pending)
WITH s, size($undecided) > 0 OR 'causes' IN coalesce(s.owed, []) AS open
// include: owed(session=s, use='causes', open=open)
WITH s
CALL (s) {
  UNWIND $examined AS id
  MATCH (:Memory {id: id})<-[link:TEMPORAL]-(one:Memory) WHERE one.session_id = s.id
  SET link.examined_at = $now, link.undecided = CASE WHEN id IN $undecided THEN true END
}
CALL () {
  UNWIND $rows AS row
  MATCH (cause:Memory {id: row.cause}), (effect:Memory {id: row.effect})
  WHERE cause.scope = effect.scope AND cause.persona_id = effect.persona_id AND cause <> effect
    AND cause.retired_at = $no_end AND effect.retired_at = $no_end
  MERGE (cause)-[r:CAUSAL]->(effect)
  ON CREATE SET r.created_at = $now, r.weight = 1.0, r.confidence = row.confidence, r.valid_from = $now,
                r.valid_until = $no_end, r.evidence = row.evidence, r.predicate = row.predicate
}
