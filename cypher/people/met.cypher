// The people whom some speakers know: themselves, those whom they created, and those who took part in a chat when they
// wrote there (P6).
// params: $speakers, $people
// returns: speaker, person
// mode: read
UNWIND $people AS person
MATCH (p:Person {id: person})
UNWIND $speakers AS speaker
WITH p, speaker
WHERE speaker = p.id OR coalesce(p.created_by = speaker, false) OR EXISTS {
  MATCH (:Person {id: speaker})-[said:PARTICIPATES_IN]->(c:Chat), (p)-[part:PARTICIPATES_IN]->(c)
  WHERE said.wrote_at >= part.since
}
RETURN speaker, p.id AS person
