// Memories whose index entries for whom they are about carry other labels, times or vectors than they do.
// params: -
// returns: found, examples
// mode: read
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
WITH DISTINCT m
RETURN count(m) AS found, collect(m.id)[..5] AS examples
