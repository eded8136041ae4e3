// Ends a page of candidates $$of of one person's export: each with its id, from which the next page goes on, and what there
// is of the one to be shown, `seen` (null: it is hidden, and its row has no labels). How a memory served its owner is told to the owner alone.
// expects: seen
// takes: of
// params: $viewer, $shown, $left_out
WITH $$of.id AS id, [label IN labels(seen) WHERE NOT label IN ['Pending', 'Failed']] AS labels,
     CASE WHEN seen.owner_id <> $viewer THEN seen {.*, score: null, last_hit_at: null, stability: null, strength: null}
          ELSE seen {.*} END AS seen
ORDER BY id
RETURN id, labels,
       // include: exported_properties(of=seen)
