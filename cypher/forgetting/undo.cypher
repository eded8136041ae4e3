// Restores a batch of what an act forgot. If facts of the same key were stated meanwhile, the last to begin holds, and
// each before it ends when the next begins (W5).
// params: $erasure_id, $worker, $limit, $label_terms, $now, $no_end
// returns: taken
// mode: write

// include: held_erasure
CALL (erasure) {
  MATCH (erasure)-[forgot:FORGOT]->(m:Memory)
  WITH forgot, m LIMIT $limit
  WITH m, forgot.given_up_before AS before, forgot.changed_by AS changed_by, forgot
  DELETE forgot
  WITH m, before, changed_by ORDER BY m.id
  SET m.lock = $now
  RETURN count(m) AS taken, collect(CASE WHEN NOT before AND m.retired_by = 'forgotten' THEN {memory: m, changed_by: changed_by} END) AS back
}
CALL (back) {
  UNWIND back AS one
  WITH one.memory AS m
  MATCH (m)-[:ABOUT {primary: true}]->(e:Entity)
  WITH DISTINCT e ORDER BY e.id
  SET e.lock = $now
}
CALL (back) {
  UNWIND back AS one
  WITH one.memory AS m, one.changed_by AS changed_by
  SET m.retired_at = $no_end, m.retired_by = null, m.changed_by = changed_by
  RETURN collect(CASE WHEN m.claim_key IS NOT NULL AND m.valid_until = $no_end AND m.status = 'active' THEN m END) AS live
}
CALL (live) {
  // include: one_live(merge=null)
  RETURN size(ended) AS ended
}
CALL (back) {
  UNWIND back AS one
  WITH one.memory AS m
  // include: copy_to_about
  // include: relation_times
  WITH m AS evidence
  // include: refresh_derived_labels
}
CALL (erasure, back) {
  // Sessions that were consolidated while their turns were forgotten are consolidated again.
  UNWIND back AS one
  WITH one.memory AS m WHERE m:Episodic
  MATCH (s:Session {id: m.session_id}) WHERE s.consolidated_at IS NOT NULL AND s.consolidated_at >= erasure.forgotten_at
  WITH DISTINCT s
  SET s.asked = true, s.unconsolidated = true
  // include: session_queued(session=s, job='consolidate', due_at=$now)
}
SET erasure.done = erasure.done + taken
RETURN taken
