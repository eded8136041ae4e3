// Notes that a fact was said again: it is surer, was accessed now, has one more source, and grows in importance when it
// is said on several days (W5, W9). Its score stays.
// params: $id, $day, $evidence, $now, $no_end
// returns: id
// mode: write
MATCH (m:Memory {id: $id})
SET m.lock = $now
WITH m
SET m.confidence = m.confidence + (1 - m.confidence) / 2, m.last_accessed_at = $now,
    m.said_on = CASE WHEN $day IN m.said_on THEN m.said_on ELSE m.said_on + $day END
SET m.grown_importance = CASE WHEN size(m.said_on) >= 7 THEN 2 WHEN size(m.said_on) >= 3 THEN 1 ELSE 0 END
WITH m
CALL (m) {
  UNWIND $evidence AS id
  MATCH (episode:Episodic {id: id})
  MERGE (m)-[from:DERIVED_FROM]->(episode)
  ON CREATE SET from.created_at = $now, from.weight = 1.0, from.confidence = m.confidence,
                from.valid_from = $now, from.valid_until = $no_end
}
RETURN m.id AS id
