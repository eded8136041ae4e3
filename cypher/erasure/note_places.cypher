// Records where texts were left that may name a person, and how they were meant there, for an administrator to decide.
// params: $erasure_id, $worker, $rows, $now
// returns: -
// mode: write

// include: held_erasure
UNWIND $rows AS row
MATCH (n:Memory|Chat|Space|UserState|Session|Block|Todo|Version|SessionSummary|RollingSummary|SummarySpine|Entity|Merged {id: row.id})
MERGE (erasure)-[place:CONCERNS]->(n)
ON CREATE SET place.created_at = $now, place.near = row.near, place.linked = row.linked, place.learned = row.learned
