// The turns of a session that a worker holds whose links from the turn before were not yet examined for causes, in
// order, each after up to three turns before it. `standing` is true for turns that are not retired; `entities` are the
// keys of entities in a turn. Extends the lease.
// params: $id, $worker, $lease_until, $limit, $no_end
// returns: id, turns
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.due_at = $lease_until
WITH s
MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL AND EXISTS {
  MATCH (m)<-[link:TEMPORAL]-(one:Memory) WHERE one.session_id = m.session_id AND link.examined_at IS NULL
}
WITH m ORDER BY m.session_id, m.event_time, m.turn LIMIT $limit
MATCH path = (m)<-[:TEMPORAL*1..3]-(:Memory) WHERE all(step IN nodes(path) WHERE step.session_id = m.session_id)
WITH m, path ORDER BY length(path) DESC
WITH m, collect(path)[0] AS path ORDER BY m.event_time, m.turn
RETURN m.id AS id, [step IN reverse(nodes(path)) | step {
  .id, .content, .event_time, .title, speaker: CASE step.source_role WHEN 'assistant' THEN null ELSE step.speaker_id END,
  standing: step.retired_at = $no_end, attached: step.attachments IS NOT NULL, entities: COLLECT { MATCH (step)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.key }
}] AS turns
