// Copies the labels, times and vectors of the memory `m` to what says whom it is about, where the index carries them.
// Every write that changes one of them includes it, so that no index entry stays behind.
// expects: m
// params: -
CALL (m) {
  MATCH (m)-[entry:ABOUT]->(person:Person)
  SET entry += m {.scope, .owner_id, .chat_id, .learned_in, .sensitivity, .portable, .persona_id, .space_id, .speaker_id,
                  .source, .status, .type, .kind, .category, .created_at, .retired_at, .expires_at, .valid_from,
                  .valid_until, .ended_at, .event_time, .event_until, .embedding_a, .embedding_b,
                  memory_id: m.id, person_id: person.id}
}
