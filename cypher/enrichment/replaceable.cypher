// For each of these facts, if somebody stated it, the most similar earlier fact that it may replace (W6): a live one of
// the same scope, persona and space, told by the same person with the same authority, and about the same entity, with a
// cosine similarity of at least `$least`. Facts that are to be kept from somebody, that were confirmed or pinned, or
// that are linked to the later one already, are left out.
// params: $ids, $least, $now
// returns: id, content, speaker, earlier, earlier_content
// mode: read
// slots: a, b
UNWIND $ids AS id
MATCH (m:Memory {id: id}) USING INDEX SEEK m:Memory(id)
WHERE m.live_key IS NOT NULL AND m.retired_at > $now AND m.confided IS NULL AND NOT m.source IN ['extraction', 'consolidation']
CALL (m) {
  MATCH (near:Memory)
  SEARCH near IN (
    VECTOR INDEX memory_vector_$$slot FOR m.embedding_$$slot
    WHERE near.scope = m.scope AND near.persona_id = m.persona_id AND near.space_id = m.space_id AND near.type = m.type
      AND near.speaker_id = m.speaker_id AND near.created_at <= m.created_at AND near.retired_at > $now AND near.expires_at > $now
    LIMIT 20
  ) SCORE AS nearness
  WITH m, near AS old, 2 * vector.similarity.cosine(near.embedding_$$slot, m.embedding_$$slot) - 1 AS cosine
  WHERE cosine >= $least AND old.live_key IS NOT NULL AND [old.created_at, old.id] < [m.created_at, m.id]
    AND old.authority = m.authority AND old.confided IS NULL AND old.decay_rate > 0 AND NOT coalesce(old.pinned, false)
    AND NOT EXISTS { (old)-[:SUPERSEDES|DERIVED_FROM]-(m) } AND NOT EXISTS { (old)-[:DERIVED_FROM {shared: true}]->() }
    AND EXISTS { (old)-[:ABOUT]->(:Entity)<-[:ABOUT]-(m) }
  RETURN old ORDER BY cosine DESC, old.id LIMIT 1
}
MATCH (speaker:Person {id: m.speaker_id})
RETURN m.id AS id, m.content AS content, speaker.canonical_name AS speaker, old.id AS earlier, old.content AS earlier_content
