// Marks a fact as certain: its confidence does not decay, and it does not expire (W10, T3).
// params: $id, $no_end
// returns: allowed
// mode: write

// include: seen_memory
// include: may_label
// include: lock_live
WITH m, allowed
CALL (m, allowed) {
  WITH m WHERE allowed
  SET m.confidence = 1.0, m.decay_rate = 0.0, m.lifetime_until = $no_end, m.expires_at = $no_end
  WITH m
  // include: copy_to_about
}
RETURN allowed
