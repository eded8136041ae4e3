// Pins a memory for the viewer: it does not run out while anybody's pin is there, and counts as important to who pinned it
// (P6). Unpinned it has the lifetime that it had (T3, W9).
// params: $id, $pinned, $no_end
// returns: allowed
// mode: write

// include: seen_memory
// include: may_label
// include: lock_live
WITH m, allowed
CALL (m, allowed) {
  WITH m WHERE allowed
  SET m.pinned_by = [one IN coalesce(m.pinned_by, []) WHERE one <> $viewer] + CASE WHEN $pinned THEN [$viewer] ELSE [] END
  SET m.pinned = m.pinned_by <> [],
      m.expires_at = CASE m.pinned_by WHEN [] THEN coalesce(m.lifetime_until, $no_end) ELSE $no_end END
  WITH m
  // include: copy_to_about
}
RETURN allowed
