// Stores a batch of the relationships of an export, unless another run did so, and notes in the same transaction how far
// it is. Whom a memory is about carries its vector for an index; an export has that once.
// params: $export, $rows, $before, $after, $now
// returns: stored
// mode: write
MATCH (l:Lock {name: 'import', export: $export})
SET l.at = $now
WITH l WHERE l.lines = $before
SET l.lines = $after
WITH l
UNWIND $rows AS row
// include: exported_node(kind=row.source_kind, id=row.source, node=source)
// include: exported_node(kind=row.target_kind, id=row.target, node=target)
CREATE (source)-[r:$(row.type)]->(target)
SET r = row.values
FOREACH (key IN keys(row.times) |
  SET r[key] = CASE WHEN row.times[key] IS :: STRING THEN datetime(row.times[key])
                    ELSE [moment IN row.times[key] | datetime(moment)] END
)
FOREACH (_ IN CASE WHEN row.type = 'ABOUT' AND target:Person THEN [1] ELSE [] END |
  SET r += source {.embedding_a, .embedding_b}
)
FOREACH (_ IN CASE WHEN row.type = 'SUPERSEDES' AND row.values.outranks = true THEN [1] ELSE [] END |
  SET target.outranked = true
)
RETURN count(r) AS stored
