// Ends a page of candidates $$of of one person's export: each with its id, from which the next page goes on, and what there
// is of the one to be shown, `seen` (null: it is hidden, and its row has no labels).
// expects: seen
// takes: of
// params: $shown, $left_out
WITH $$of.id AS id, seen, [label IN labels(seen) WHERE NOT label IN ['Pending', 'Failed']] AS labels ORDER BY id
RETURN id, labels,
       // include: exported_properties(of=seen)
