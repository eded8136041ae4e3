// Pins or unpins a memory for the viewer. It is important to whoever pinned it (P6), and does not expire while anybody
// pins it. After the last pin it has its former expiry (T3, W9).
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
