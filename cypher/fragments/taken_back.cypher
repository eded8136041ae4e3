// Withdraws what their owner shared of the memories `originals` with groups, or with the group $$chat alone (null:
// all). The copies are retired. No act of forgetting brings them back but $$act, which forgets the originals too (`''`:
// none). What was also said in the group is read anew there. Leaves the retired copies as `taken_back`.
// expects: originals
// takes: chat, act
// params: $now, $no_end
CALL (originals) {
  UNWIND originals AS original
  MATCH (original)<-[:DERIVED_FROM {shared: true}]-(m:Memory) WHERE $$chat IS NULL OR m.chat_id = $$chat
  WITH DISTINCT originals, m ORDER BY m.id
  SET m.lock = $now
  WITH originals, count(m) AS locked
  // Read again under the locks: what replaced a copy meanwhile is a copy as well.
  UNWIND originals AS original
  MATCH (original)<-[:DERIVED_FROM {shared: true}]-(m:Memory) WHERE $$chat IS NULL OR m.chat_id = $$chat
  WITH DISTINCT m
  SET m.lock = $now, m.retired_by = CASE m.retired_by WHEN 'folded' THEN 'forgotten' ELSE m.retired_by END
  WITH m
  CALL (m) {
    MATCH (act:Forgetting)-[forgot:FORGOT]->(m) WHERE act.id <> $$act
    SET forgot.given_up_before = true
  }
  WITH m WHERE m.retired_at = $no_end
  SET m.retired_at = $now, m.retired_by = 'forgotten', m.changed_by = m.speaker_id
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  // include: relation_times
  CALL (m) {
    MATCH (m)-[said:DERIVED_FROM]->(turn:Episodic) WHERE said.shared IS NULL AND size(said.said) > 0
    DELETE said
    WITH DISTINCT turn.session_id AS session
    MATCH (s:Session {id: session})
    SET s.asked = true, s.unconsolidated = true
    // include: session_queued(session=s, job='consolidate', due_at=$now)
  }
  RETURN collect(DISTINCT m) AS taken_back
}
