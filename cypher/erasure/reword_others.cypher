// Gives titles, states and the like texts without a person's names.
// params: $erasure_id, $worker, $rows
// returns: reworded
// mode: write

// include: held_erasure
WITH erasure
UNWIND $rows AS row
MATCH (n:Chat|UserState|Session|Block|Todo|Version|SessionSummary|RollingSummary|SummarySpine {id: row.id})
SET n += row.texts
WITH erasure, count(n) AS reworded
SET erasure.reworded = erasure.reworded + reworded
RETURN reworded
