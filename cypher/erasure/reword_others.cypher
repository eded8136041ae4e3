// Removes a person's names from the texts of chats, blocks, states and other nodes.
// params: $erasure_id, $worker, $rows, $listed
// returns: -
// mode: write

// include: held_erasure
WITH erasure
UNWIND $rows AS row
MATCH (n:Chat|Space|UserState|Session|Block|Todo|Version|SessionSummary|RollingSummary|SummarySpine {id: row.id})
SET n += row.texts
WITH erasure, collect(row.kind + ' ' + n.id) AS reworded
SET erasure.reworded = erasure.reworded + size(reworded), erasure.rewritten = (erasure.rewritten + reworded)[..$listed]
