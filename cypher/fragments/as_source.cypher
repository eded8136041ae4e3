// Returns the memory `m` as a source of a summary, as `graph.summaries.composing.talk_source` reads it; `found_in` are
// the turns in which a fact was found.
// expects: m, found_in

// include: effective_importance
RETURN m {.id, .content, .kind, .category, .fact_type, .speaker_name, .event_time, .event_until, time_zone: coalesce(m.time_zone, 'UTC'), .sensitivity,
          .emotion_intensity, by_user: m.source_role = 'user', by_owner: m.speaker_id = m.scope, turn: m:Episodic, attached: m.attachments IS NOT NULL, importance: weight, found_in: found_in,
          vector: m.embedding_$$slot,
          people: COLLECT {
            MATCH (m)-[:ABOUT|MENTIONS]->(p:Person) RETURN p.id AS id
            UNION MATCH (p:Person {id: m.speaker_id}) RETURN p.id AS id
          }} AS source
