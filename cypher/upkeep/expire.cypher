// Retires memories that have expired, as of their expiry, so that a late run has the same result (T3); or as of when
// they faded, if that was before. Goes through the memories by id, as `upkeep/fade` does: an index over these times
// would tempt the planner to start from it in other statements, which have better ways.
// params: $position, $limit, $now, $label_terms
// returns: changed, position
// mode: write

// include: page_of_ids(label=Memory)
CALL (page) {
  UNWIND page AS m
  // include: expired
  SET m.lock = $now
  WITH m
  // include: expired
  // include: fades
  WITH m, coalesce(faded_at < m.expires_at, false) AS faded, faded_at
  SET m.retired_at = CASE WHEN faded THEN faded_at ELSE m.expires_at END,
      m.retired_by = CASE WHEN faded THEN 'faded' ELSE 'expired' END
  // include: retired
  RETURN count(evidence) AS changed
}
RETURN changed,
       // include: next_position
