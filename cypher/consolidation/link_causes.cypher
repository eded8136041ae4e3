// Writes which memories caused which.
// params: $rows, $now, $no_end
// returns: -
// mode: write
UNWIND $rows AS row
MATCH (cause:Memory {id: row.cause}), (effect:Memory {id: row.effect}) WHERE cause <> effect
MERGE (cause)-[r:CAUSAL]->(effect)
ON CREATE SET r.created_at = $now, r.weight = 1.0, r.confidence = row.confidence, r.valid_from = $now,
              r.valid_until = $no_end, r.evidence = row.evidence, r.predicate = row.predicate
