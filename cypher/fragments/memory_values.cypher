// Builds `memory` from the memory `m`, as `graph.retrieval.memories.memory` reads it, with `pending` and `entities`.
// The wording is that of the time it is known at (M14). `quotation` has the words that it was extracted from; `origin`
// says whether it or its evidence comes from a tool or a file. Times are text: the driver takes 65 µs to make one of
// its own, which for ten memories is more than the rest of the read.
// expects: m, viewpoint (one of the fragments viewpoint_*)
// params: $known_at

// include: effective_importance
// include: quoted
WITH *, m {.id, .type, .kind, .category, .fact_type, .owner_id, .chat_id, .learned_in, .persona_id, .session_id,
          .speaker_id, .speaker_name, .source, .source_role, .narrative_id, .task_id, .attributes, .attachments, .frame, .sensitivity, .portable, .tags, .status,
          .pinned, pinned_by_viewer: pinned_by_viewer, .inferred_labels, .event_precision, .time_zone, importance: weight,
          space_id: CASE WHEN m.owner_id = $viewer OR m.chat_id = viewpoint.group THEN m.space_id ELSE '' END,
          score: CASE m.owner_id WHEN $viewer THEN m.score ELSE 0 END,
          wording: CASE WHEN m.changed_at > $known_at THEN COLLECT {
            MATCH (m)-[:HAS_VERSION]->(then:Version) WHERE then.changed_at > $known_at
            WITH then ORDER BY then.changed_at LIMIT 1
            RETURN then.content
          }[0] ELSE m.content END,
          quotation: quotation,
          origin: CASE WHEN m.source IN ['tool_result', 'migration'] THEN m.source ELSE COLLECT {
            MATCH (m)-[from:DERIVED_FROM]->(ground:Memory) WHERE from.shared IS NULL AND ground.source IN ['tool_result', 'migration']
            RETURN DISTINCT ground.source ORDER BY ground.source DESC
          }[0] END,
          confidence:
          // include: present_confidence
          ,
          event_time: toString(m.event_time), created_at: toString(m.created_at),
          valid_from: toString(m.valid_from), valid_until: CASE WHEN m.ended_at <= $known_at THEN toString(m.valid_until) END} AS memory,
       m:Pending AS pending,
       COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.key ORDER BY e.key } AS entities
