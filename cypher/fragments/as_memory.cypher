// Returns the memory `m` as `graph.memories.memory` reads it. Times go as text: the driver takes 65 µs to make one of
// its own, which for ten memories is more than all the rest of the read.
// expects: m
// params: -
RETURN m {.id, .content, .type, .kind, .category, .owner_id, .chat_id, .learned_in, .persona_id, .session_id,
          .speaker_id, .speaker_name, .source, .source_role, .sensitivity, .portable, .tags, .status, .confidence, .importance,
          .guessed, .turn,
          event_time: toString(m.event_time), created_at: toString(m.created_at),
          valid_from: toString(m.valid_from), valid_until: toString(m.valid_until),
          ended_at: toString(m.ended_at)} AS memory,
       m:Pending AS pending,
       COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.key ORDER BY e.key } AS entities
