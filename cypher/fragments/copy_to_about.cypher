// Copies the labels, times and vectors of the memory `m` to its ABOUT relationships with persons, and the labels and
// times to its parts, where indexes carry them. Every write that changes one of them includes this, so that no index
// entry is outdated.
// expects: m
CALL (m) {
  MATCH (m)-[entry:ABOUT]->(person:Person)
  SET entry += m {.scope, .owner_id, .chat_id, .learned_in, .sensitivity, .portable, .persona_id, .space_id, .speaker_id,
                  .source, .status, .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from,
                  .valid_until, .ended_at, .event_time, .event_until, .embedding_a, .embedding_b,
                  memory_id: m.id, person_id: person.id}
}
CALL (m) {
  MATCH (m)-[part:HAS_PART]->(m)
  SET part += m {.scope, .learned_in, .sensitivity, .persona_id, .space_id, .speaker_id, .session_id, .source,
                 .narrative_id, .task_id, .status, .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from,
                 .valid_until, .ended_at, .event_time, .event_until}
}
