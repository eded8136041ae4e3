// Creates the vector index of one slot over the ABOUT relationships, from memories to the persons they are about.
// params: options
// returns: -
// mode: write
// slots: a, b
CREATE VECTOR INDEX about_vector_$$slot IF NOT EXISTS
FOR ()-[r:ABOUT]-() ON r.embedding_$$slot
WITH [r.person_id, r.primary, r.scope, r.owner_id, r.chat_id, r.learned_in, r.sensitivity, r.portable,
      r.persona_id, r.space_id, r.speaker_id, r.source, r.status, r.type, r.kind, r.category,
      r.created_at, r.retired_at, r.expires_at, r.valid_from, r.valid_until, r.ended_at, r.event_time, r.event_until]
OPTIONS $options
