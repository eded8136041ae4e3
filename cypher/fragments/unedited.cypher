// Filters the memories `found` to those that were found in talk, are believed, and that nobody corrected, reworded,
// pinned or confirmed.
// expects: found
// params: $no_end
WITH * WHERE found.retired_at = $no_end AND found.source IN ['extraction', 'consolidation'] AND found.decay_rate > 0
  AND found.changed_by IS NULL AND found.changed_at IS NULL AND NOT coalesce(found.pinned, false)
