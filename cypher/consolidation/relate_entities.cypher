// Writes relations between entities, with all memories that state them as evidence, since each viewer sees others. A
// relation holds as long as one of these memories holds.
// params: $rows, $now, $no_end
// returns: relations
// mode: write
UNWIND $rows AS row
MATCH (a:Entity {id: row.source}), (b:Entity {id: row.target})
MERGE (a)-[r:RELATED_TO {predicate: row.predicate}]->(b)
ON CREATE SET r.id = row.id, r.created_at = $now, r.weight = 1.0, r.confidence = row.confidence, r.valid_from = $now,
              r.valid_until = $no_end, r.evidence = []
SET r.evidence = [id IN r.evidence WHERE id <> row.memory] + row.memory
WITH r AS related
// include: evidence_times
RETURN count(related) AS relations
