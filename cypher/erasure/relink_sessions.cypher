// Links the sessions of a chat anew: the last turn of each to the first turn of the next one of its persona, and to no
// other session (M11).
// params: $erasure_id, $worker, $chat, $now, $no_end
// returns: -
// mode: write

// include: held_erasure
MATCH (c:Chat {id: $chat})
SET c.lock = $now
WITH c
MATCH (s:Session)-[:IN_CHAT]->(c)
CALL (s) {
  MATCH (m:Memory)-[:IN_SESSION]->(s) WHERE m.turn IS NOT NULL
  WITH m ORDER BY m.event_time, m.turn
  WITH collect(m) AS turns
  RETURN turns[0] AS first, turns[-1] AS last
}
WITH c, s, first, last ORDER BY s.persona_id, s.started_at, s.id
WITH c, s.persona_id AS persona, collect({first: first, last: last}) AS sessions
UNWIND range(0, size(sessions) - 2) AS place
WITH sessions[place].last AS last, sessions[place + 1].first AS first
CALL (last, first) {
  MATCH (last)-[wrong:TEMPORAL]->(other:Memory) WHERE other.session_id <> last.session_id AND other <> first
  DELETE wrong
}
WITH last, first WHERE NOT EXISTS { (last)-[:TEMPORAL]->(first) }
CREATE (last)-[:TEMPORAL {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: first.event_time,
                          valid_until: $no_end, predicate: 'next_session'}]->(first)
