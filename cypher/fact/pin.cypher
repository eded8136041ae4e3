// Pins a memory, which then does not run out; unpinned it has the lifetime that it had (T3, W9).
// params: $id, $pinned, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
// include: may_label
// include: lock_live
WITH m, allowed
CALL (m, allowed) {
  WITH m WHERE allowed
  SET m.pinned = $pinned, m.expires_at = CASE WHEN $pinned THEN $no_end ELSE coalesce(m.lifetime_until, $no_end) END
  WITH m
  // include: copy_to_about
}
RETURN allowed
