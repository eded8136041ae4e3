// Returns the memory `m` as `graph.memories.memory` reads it.
// expects: m
// params: -
RETURN m {.id, .content, .type, .kind, .category, .owner_id, .chat_id, .learned_in, .persona_id, .session_id,
          .speaker_id, .speaker_name, .source, .source_role, .sensitivity, .portable, .event_time, .created_at,
          .valid_from, .valid_until, .ended_at, .tags, .status, .confidence, .importance, .turn} AS memory,
       m:Pending AS pending,
       COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.key ORDER BY e.key } AS entities
