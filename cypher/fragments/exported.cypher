// Returns the memory `m` as the export of a person holds it: its content, labels and times, its earlier wordings, and
// the entities that it is about or mentions. Times are strings. Its chat and session are given if $$named is true.
// expects: m
// takes: named
RETURN m {.id, .type, .kind, .category, .content, .speaker_name, .source, .sensitivity, .portable, .tags, .attachments, .status,
          .confidence, .importance, .pinned, .score, .access_count, .emotion_intensity, .retired_by,
          chat_id: CASE WHEN $$named THEN m.learned_in END,
          session_id: CASE WHEN $$named THEN m.session_id END, event_time: toString(m.event_time), .event_precision, .time_zone,
          created_at: toString(m.created_at), valid_from: toString(m.valid_from),
          valid_until: CASE WHEN m.valid_until.year < 9999 THEN toString(m.valid_until) END,
          retired_at: CASE WHEN m.retired_at.year < 9999 THEN toString(m.retired_at) END,
          expires_at: CASE WHEN m.expires_at.year < 9999 THEN toString(m.expires_at) END,
          earlier_wordings: COLLECT {
            MATCH (m)-[:HAS_VERSION]->(v:Version)
            RETURN {content: v.content, changed_at: toString(v.changed_at)} ORDER BY v.changed_at
          },
          about: COLLECT { MATCH (m)-[:ABOUT]->(e:Entity) RETURN e.key ORDER BY e.key },
          mentions: COLLECT { MATCH (m)-[:MENTIONS]->(e:Entity) RETURN e.key ORDER BY e.key }} AS memory
