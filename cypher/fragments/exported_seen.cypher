// Ends a page of candidates $$of of one person's export. Each row has the id, from which the next page goes on, and
// the labels and properties of `seen`, the part to be shown. If `seen` is null, the candidate is hidden and its row
// has no labels. Only the owner of a memory gets its score and stability.
// expects: seen
// takes: of
// params: $viewer, $shown, $left_out
WITH $$of.id AS id, [label IN labels(seen) WHERE NOT label IN ['Pending', 'Failed']] AS labels,
     CASE WHEN seen.owner_id <> $viewer THEN seen {.*, score: null, last_hit_at: null, stability: null, strength: null}
          ELSE seen {.*} END AS seen
ORDER BY id
RETURN id, labels,
       // include: exported_properties(of=seen)
