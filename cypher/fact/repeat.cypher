// Notes that a fact was said again, with one more source.
// params: $id, $evidence, $no_end
// returns: id
// mode: write
MATCH (m:Memory {id: $id})
// include: said_again
CALL (m) {
  UNWIND $evidence AS id
  MATCH (episode:Episodic {id: id})
  MERGE (m)-[from:DERIVED_FROM]->(episode)
  ON CREATE SET from.created_at = $now, from.weight = 1.0, from.confidence = m.confidence,
                from.valid_from = $now, from.valid_until = $no_end
}
RETURN m.id AS id
