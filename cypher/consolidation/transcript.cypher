// The transcript of a session that a worker holds, whose lease is extended: all turns if the session has ended or
// somebody asks for it (`whole`), else the new ones, after up to `$context` turns before them. `asked` is false from now
// on, and true again if somebody asks meanwhile. Turns that were moved to another space than the chat's are left out.
// `by_model` says whether a language model has read all turns.
// params: $id, $worker, $lease_until, $context, $no_end
// returns: chat, persona, whole, by_model, read, turn_count, statements, reasons, counts, participants, turns
// mode: write
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
SET s.due_at = $lease_until
WITH s, s.ended_at < $no_end OR s.asked IS NOT NULL AS whole, coalesce(s.read, 0) AS read
SET s.asked = CASE WHEN s.asked IS NOT NULL THEN false END
WITH s, whole, read
MATCH (c:Chat {id: s.chat_id})
CALL (c) {
  MATCH (p:Person)-[:PARTICIPATES_IN]->(c)
  WITH DISTINCT p ORDER BY p.key
  RETURN collect(p {.id, .key, .canonical_name}) AS participants
}
CALL (s, c, whole, read) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
    AND (whole OR m.turn > read - $context) AND m.retired_at = $no_end AND m.space_id = c.space_id
  WITH m ORDER BY m.session_id, m.event_time, m.turn
  RETURN collect(m {.id, .turn, .content, .title, .speaker_id, .event_time, .created_at,
                    time_zone: coalesce(m.time_zone, 'UTC'), confided: coalesce(m.confided, false),
                    attached: m.attachments IS NOT NULL}) AS turns
}
RETURN c {.id, .kind, .owner_id, .scope, extraction: coalesce(c.extraction, 'all')} AS chat, s.persona_id AS persona, whole,
       s.consolidated_at IS NOT NULL AND coalesce(s.by_model, false) AND s.consolidated_turns = s.turn_count AS by_model,
       read, s.turn_count AS turn_count,
       coalesce(s.statements, 0) AS statements, coalesce(s.dropped_reasons, []) AS reasons,
       coalesce(s.dropped_counts, []) AS counts, participants, turns
