// Confirms facts that were stated again, and adds the new evidence, with the quoted words for facts that were found in
// talk. Labels that were given this time apply from now on; labels that follow from the evidence are computed anew.
// params: $rows, $no_end
// returns: id
// mode: write
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
WITH m, row, row.day AS day
// include: confirm_repetition
CALL (m, row) {
  UNWIND row.evidence AS id
  MATCH (episode:Memory {id: id})
  MERGE (m)-[from:DERIVED_FROM]->(episode)
  ON CREATE SET from.created_at = $now, from.weight = 1.0, from.confidence = m.confidence,
                from.valid_from = $now, from.valid_until = $no_end, from.said = [], from.words = row.words
  SET from.said = [words IN from.said WHERE NOT words IN row.said] + row.said,
      from.least_sensitivity = CASE WHEN 'sensitive' IN [from.least_sensitivity, row.least_sensitivity] THEN 'sensitive'
                                    WHEN 'personal' IN [from.least_sensitivity, row.least_sensitivity] THEN 'personal'
                                    ELSE 'public' END
}
CALL (m, row) {
  WITH m, row.sensitivity AS sensitivity, row.portable AS portable
  WHERE sensitivity IS NOT NULL OR portable IS NOT NULL
  // include: set_labels
  WITH m AS evidence
  // include: refresh_derived_labels
}
// include: derived_labels
RETURN m.id AS id
