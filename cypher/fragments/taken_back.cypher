// Takes back what their owner shared of the memories `originals` with groups, or with the group $$chat alone (null: all): the
// copies are believed no longer. One that was said in its group as well stays, as what was said there. Leaves `taken_back`.
// expects: originals
// takes: chat
// params: $now, $no_end
CALL (originals) {
  UNWIND originals AS original
  MATCH (original)<-[shared:DERIVED_FROM {shared: true}]-(m:Memory)
  WHERE m.retired_at = $no_end AND ($$chat IS NULL OR m.chat_id = $$chat)
  WITH shared, m ORDER BY m.id
  SET m.lock = $now
  WITH shared, m, EXISTS {
    MATCH (m)-[said:DERIVED_FROM]->(turn:Memory) WHERE said.shared IS NULL AND turn.retired_at = $no_end
  } AS said_there
  FOREACH (link IN CASE WHEN said_there THEN [shared] ELSE [] END | DELETE link)
  WITH m WHERE NOT said_there
  SET m.retired_at = $now, m.retired_by = 'forgotten', m.changed_by = m.speaker_id
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  // include: relation_times
  RETURN collect(DISTINCT m) AS taken_back
}
