// Stores a batch of nodes of an export and, in the same transaction, the number of lines loaded. Stores nothing if
// another run did so.
// params: $export, $rows, $before, $after, $now
// returns: stored
// mode: write
MATCH (l:Lock {name: 'import', export: $export})
SET l.at = $now
WITH l WHERE l.lines = $before
SET l.lines = $after
WITH l
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.values
FOREACH (key IN keys(row.times) |
  SET n[key] = CASE WHEN row.times[key] IS :: STRING THEN datetime(row.times[key])
                    ELSE [moment IN row.times[key] | datetime(moment)] END
)
RETURN count(n) AS stored
