// Closes the gaps that deleted turns left in the sessions of a chat: links the remaining turns, numbers them anew, and
// deletes sessions without turns. The lock on the chat is the one that recording turns takes.
// params: $erasure_id, $worker, $chat, $now, $no_end
// returns: -
// mode: write

// include: held_erasure
MATCH (c:Chat {id: $chat})
SET c.lock = $now
WITH erasure, c
MATCH (s:Session)-[:IN_CHAT]->(c)
CALL (s) {
  MATCH (m:Memory)-[:IN_SESSION]->(s) WHERE m.turn IS NOT NULL
  WITH m ORDER BY m.event_time, m.turn
  RETURN collect(m) AS turns
}
WITH erasure, s, turns WHERE size(turns) <> s.turn_count
CALL (s, turns) {
  UNWIND range(0, size(turns) - 2) AS place
  WITH turns[place] AS one, turns[place + 1] AS next WHERE NOT EXISTS { (one)-[:TEMPORAL]->(next) }
  CREATE (one)-[:TEMPORAL {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: next.event_time,
                           valid_until: $no_end}]->(next)
}
FOREACH (place IN range(0, size(turns) - 1) | FOREACH (m IN [turns[place]] | SET m.turn = place + 1))
SET s.turn_count = size(turns), s.read = CASE WHEN s.read > size(turns) THEN size(turns) ELSE s.read END
WITH erasure, s, turns, CASE WHEN size(turns) = 0 THEN [s] ELSE [] END AS empty
SET erasure.sessions = erasure.sessions + size(empty)
FOREACH (one IN empty | DETACH DELETE one)
