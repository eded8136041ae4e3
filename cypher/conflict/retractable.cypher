// The turns of people among `$turns`, in order, while a worker holds the session `$id`. `facts` are up to `$beside`
// facts that hold, that the speaker told before the turn and not since, that nobody edited, and whose cosine similarity
// to the turn is at least `$least`, the most similar first. Left out are turns and facts that are to be kept from
// somebody, those moved to another space than the chat's, and those that the extraction mode of the chat excludes.
// params: $id, $worker, $turns, $beside, $least, $now, $no_end
// returns: chat, said, facts
// mode: read
// slots: a, b
MATCH (s:Session {id: $id}) WHERE s.worker = $worker
UNWIND $turns AS turn_id
MATCH (turn:Memory {id: turn_id})
WHERE turn.source_role = 'user' AND turn.retired_at = $no_end AND turn.title IS NULL AND turn.confided IS NULL
  AND turn.embedding_$$slot IS NOT NULL
MATCH (said_in:Session {id: turn.session_id})
MATCH (c:Chat {id: said_in.chat_id}) WHERE coalesce(c.extraction, 'all') <> 'off' AND turn.space_id = c.space_id
MATCH (speaker:Person {id: turn.speaker_id})
WITH c, turn, speaker ORDER BY turn.event_time, turn.turn
CALL (c, turn) {
  MATCH (near:Memory)
  SEARCH near IN (
    VECTOR INDEX memory_vector_$$slot FOR turn.embedding_$$slot
    WHERE near.scope = c.scope AND near.persona_id = '' AND near.space_id = c.space_id AND near.speaker_id = turn.speaker_id
      AND near.type = 'semantic' AND near.status = 'active' AND near.valid_from <= turn.event_time
      AND near.valid_until > turn.event_time AND near.retired_at > $now AND near.expires_at > $now
    LIMIT 20
  ) SCORE AS nearness
  WITH c, turn, near AS found
  // include: unedited
  WITH c, turn, found AS fact, 2 * vector.similarity.cosine(found.embedding_$$slot, turn.embedding_$$slot) - 1 AS cosine
  WHERE cosine >= $least AND fact.live_key IS NOT NULL AND fact.confided IS NULL AND fact.frame IS NOT NULL
    AND coalesce(fact.takes_effect_at <= turn.event_time, true)
    AND (fact.authority = 'self' OR coalesce(c.extraction, 'all') <> 'first_person')
    AND NOT EXISTS { MATCH (fact)-[:DERIVED_FROM]->(said:Memory) WHERE said.event_time >= turn.event_time }
  WITH fact ORDER BY cosine DESC, fact.id LIMIT $beside
  RETURN collect(fact {
    .id, .content, .claim_key, .value_key, .fact_type, .sensitivity, .portable, about: COLLECT {
      MATCH (fact)-[about:ABOUT]->(e:Entity)
      RETURN e {.id, .key, .type, name: about.name} ORDER BY about.primary DESC, e.id
    }
  }) AS facts
}
RETURN c {.id, .kind, .owner_id, .scope, extraction: coalesce(c.extraction, 'all')} AS chat, turn {
  .id, .turn, .content, .title, .speaker_id, .event_time, .created_at, time_zone: coalesce(turn.time_zone, 'UTC'), confided: false,
  attached: turn.attachments IS NOT NULL, speaker_key: speaker.key, speaker: speaker.canonical_name
} AS said, facts
