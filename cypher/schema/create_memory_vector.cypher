// Creates the vector index of one slot over memories.
// params: options
// returns: -
// mode: write
// slots: a, b
CREATE VECTOR INDEX memory_vector_$$slot IF NOT EXISTS
FOR (m:Memory) ON m.embedding_$$slot
WITH [m.scope, m.owner_id, m.chat_id, m.learned_in, m.sensitivity, m.portable, m.persona_id, m.space_id, m.speaker_id,
      m.session_id, m.source, m.narrative_id, m.task_id, m.status, m.type, m.kind, m.category,
      m.created_at, m.retired_at, m.expires_at, m.valid_from, m.valid_until, m.ended_at, m.event_time, m.event_until]
OPTIONS $options
