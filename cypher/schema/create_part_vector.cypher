// Creates the vector index of one slot over the parts of long texts.
// params: options
// returns: -
// mode: write
// slots: a, b
CREATE VECTOR INDEX part_vector_$$slot IF NOT EXISTS
FOR ()-[r:HAS_PART]-() ON r.embedding_$$slot
WITH [r.scope, r.learned_in, r.sensitivity, r.persona_id, r.space_id, r.speaker_id, r.session_id, r.source, r.narrative_id,
      r.task_id, r.status, r.type, r.kind, r.category, r.created_at, r.retired_at, r.expires_at, r.valid_from, r.valid_until,
      r.ended_at, r.event_time, r.event_until]
OPTIONS $options
