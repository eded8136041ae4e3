// Suggests that pairs of entities may be the same, unless that is already suggested or was dismissed (W7).
// params: $rows, $now
// returns: suggested
// mode: write
UNWIND $rows AS row
MATCH (one:Entity {id: row.one}), (other:Entity {id: row.other})
WHERE NOT EXISTS { (one)-[:MAY_BE]-(other) }
CREATE (one)-[:MAY_BE {score: row.score, reason: row.reason, created_at: $now}]->(other)
RETURN count(*) AS suggested
