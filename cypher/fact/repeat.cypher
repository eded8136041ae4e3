// Notes that facts were said again, each with one more source; of what was found in talk in which words.
// params: $rows, $no_end
// returns: id
// mode: write
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
WITH m, row, row.day AS day
// include: said_again
CALL (m, row) {
  UNWIND row.evidence AS id
  MATCH (episode:Memory {id: id})
  MERGE (m)-[from:DERIVED_FROM]->(episode)
  ON CREATE SET from.created_at = $now, from.weight = 1.0, from.confidence = m.confidence,
                from.valid_from = $now, from.valid_until = $no_end, from.said = []
  SET from.said = [words IN from.said WHERE NOT words IN row.said] + row.said
}
RETURN m.id AS id
