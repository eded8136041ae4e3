// Memories whose index entries, on the relationships to people they are about and of parts of their texts, have other
// labels, times or vectors than they.
// params: -
// returns: found, examples
// mode: read
CALL () {
  MATCH (m:Memory)-[r:ABOUT]->(p:Person)
  WHERE r.person_id IS NULL OR r.person_id <> p.id OR r.memory_id <> m.id
    OR r {.scope, .owner_id, .chat_id, .learned_in, .sensitivity, .portable, .persona_id, .space_id, .speaker_id, .source, .status,
          .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from, .valid_until, .ended_at,
          .event_time, .event_until}
    <> m {.scope, .owner_id, .chat_id, .learned_in, .sensitivity, .portable, .persona_id, .space_id, .speaker_id, .source, .status,
          .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from, .valid_until, .ended_at,
          .event_time, .event_until}
    OR coalesce(r.embedding_a, []) <> coalesce(m.embedding_a, [])
    OR coalesce(r.embedding_b, []) <> coalesce(m.embedding_b, [])
  RETURN m
UNION
  MATCH (m:Memory)-[part:HAS_PART]->(m)
  WHERE part {.scope, .learned_in, .sensitivity, .persona_id, .space_id, .speaker_id, .session_id, .source, .narrative_id, .task_id,
              .status, .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from, .valid_until,
              .ended_at, .event_time, .event_until}
     <> m {.scope, .learned_in, .sensitivity, .persona_id, .space_id, .speaker_id, .session_id, .source, .narrative_id, .task_id,
              .status, .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from, .valid_until,
              .ended_at, .event_time, .event_until}
  RETURN m
}
RETURN count(m) AS found, collect(m.id)[..5] AS examples
