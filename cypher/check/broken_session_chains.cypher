// Sessions whose last turn is not linked to the first turn of the next session of the same chat and persona, or that
// have any other link to another session.
// params: -
// returns: found, examples
// mode: read
MATCH (s:Session)
OPTIONAL CALL (s) {
  MATCH (other:Session)
  WHERE other.chat_id = s.chat_id AND other.persona_id = s.persona_id AND other.started_at >= s.started_at
    AND (other.started_at > s.started_at OR other.id > s.id)
  WITH other ORDER BY other.chat_id, other.persona_id, other.started_at, other.id LIMIT 1
  MATCH (first:Memory) WHERE first.session_id = other.id AND first.event_time IS NOT NULL AND first.turn IS NOT NULL
  WITH first ORDER BY first.session_id, first.event_time, first.turn LIMIT 1
  RETURN first.id AS wanted_first
}
OPTIONAL CALL (s) {
  MATCH (last:Memory) WHERE last.session_id = s.id AND last.event_time IS NOT NULL AND last.turn IS NOT NULL
  WITH last ORDER BY last.session_id DESC, last.event_time DESC, last.turn DESC LIMIT 1
  RETURN last.id AS wanted_last
}
CALL (s) {
  MATCH (one:Episodic)-[:IN_SESSION]->(s)
  MATCH (one)-[:TEMPORAL]->(two:Memory)-[:IN_SESSION]->(next:Session) WHERE next <> s
  RETURN collect([one.id, two.id]) AS links
}
WITH s, links, CASE WHEN wanted_first IS NULL THEN [] ELSE [[wanted_last, wanted_first]] END AS wanted
WHERE links <> wanted
RETURN count(s) AS found, collect(s.id)[..5] AS examples
