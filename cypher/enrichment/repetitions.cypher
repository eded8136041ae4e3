// Which of these memories repeat, in other words, an earlier live fact: of the same kind, scope, persona and space, by
// the same person, learned in the same chat, with the same labels, about and mentioning the same entities, and with a
// cosine similarity of at least `$least` (W5). Facts with an aspect are told apart by their keys alone. A fact that
// somebody separated from another is not folded again, and nothing is folded into a shared copy, which its owner may
// take back.
// params: $ids, $least, $now
// returns: id, content, into, earlier, names
// mode: read
// slots: a, b
UNWIND $ids AS id
MATCH (m:Memory {id: id}) USING INDEX SEEK m:Memory(id) WHERE m.claim_key CONTAINS '|=' AND m.live_key IS NOT NULL AND m.retired_at > $now
  AND m.kept_apart IS NULL
CALL (m) {
  MATCH (near:Memory)
  SEARCH near IN (
    VECTOR INDEX memory_vector_$$slot FOR m.embedding_$$slot
    WHERE near.scope = m.scope AND near.persona_id = m.persona_id AND near.space_id = m.space_id AND near.type = m.type
      AND near.speaker_id = m.speaker_id AND near.learned_in = m.learned_in AND near.sensitivity = m.sensitivity
      AND near.created_at <= m.created_at AND near.retired_at > $now AND near.expires_at > $now
    LIMIT 20
  ) SCORE AS nearness
  WITH m, near AS old
  WHERE old.live_key IS NOT NULL AND NOT EXISTS { (old)-[:DERIVED_FROM {shared: true}]->() } AND [old.created_at, old.id] < [m.created_at, m.id]
    AND old.claim_key CONTAINS '|=' AND split(old.claim_key, '|=')[0] = split(m.claim_key, '|=')[0]
    AND old.authority = m.authority AND old.kind = m.kind AND old.portable = m.portable
    AND 2 * vector.similarity.cosine(old.embedding_$$slot, m.embedding_$$slot) - 1 >= $least
    AND COLLECT { MATCH (old)-[:ABOUT|MENTIONS]->(e) RETURN DISTINCT e.id ORDER BY e.id }
      = COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e) RETURN DISTINCT e.id ORDER BY e.id }
  RETURN old ORDER BY old.created_at, old.id LIMIT 1
}
RETURN m.id AS id, m.content AS content, old.id AS into, old.content AS earlier,
       COLLECT {
         MATCH (m)-[named:ABOUT|MENTIONS]->(e)
         RETURN DISTINCT [e.canonical_name] + e.aliases + coalesce(named.texts, [])
       } AS names
