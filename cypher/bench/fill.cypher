// Fills a graph with memories of one scope at the speed of the database, for measuring how searches grow.
// params: $rows, $common
// returns: -
// mode: write
UNWIND $rows AS row
CREATE (m:Memory:Episodic)
SET m = $common, m += row
