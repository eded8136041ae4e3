// Finds the words that the fact `m` was extracted from, as `quotation`: of the first recorded of its evidence turns
// that the viewer may see from their viewpoint; null without one. Turns are judged as known at the time of the read,
// whenever they were said. Evidence from before a rewording does not count, since the new wording was not taken from
// it.
// expects: m, viewpoint (from the fragment `viewpoint_of_request`, `viewpoint_in_chat` or `viewpoint_of_memory`)
// params: $known_at
WITH *, m AS fact, viewpoint AS stood
CALL (fact, stood) {
  MATCH (fact)-[from:DERIVED_FROM]->(m:Episodic)
  WHERE coalesce(from.quoted, true) AND from.created_at <= coalesce(stood.known_at, $known_at)
    AND NOT coalesce(fact.changed_at <= coalesce(stood.known_at, $known_at) AND from.created_at < fact.changed_at, false)
    AND NOT EXISTS {
      MATCH (fact)-[:HAS_VERSION]->(was:Version)
      WHERE was.changed_at <= coalesce(stood.known_at, $known_at) AND from.created_at < was.changed_at
    }
  WITH from, m, stood {.*, as_of: m.valid_from} AS viewpoint ORDER BY from.created_at, m.event_time, m.id
  // include: visible
  WITH from, m ORDER BY from.created_at, m.event_time, m.id LIMIT 1
  RETURN collect({memory_id: m.id, speaker: m.speaker_name, time: toString(m.event_time), zone: coalesce(m.time_zone, 'UTC'),
                  text: coalesce(from.words, m.content)})[0] AS quotation
}
