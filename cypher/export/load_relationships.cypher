// Stores a batch of relationships of an export and, in the same transaction, the number of lines loaded. Stores
// nothing if another run did so. ABOUT relationships with persons get a copy of the memory's vectors for an index;
// exports have none.
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
