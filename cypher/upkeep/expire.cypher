// Retires memories that have run out, as of when they did, so that a late run changes nothing (T3); or as of when they faded,
// if that was before. Goes through the ids as `upkeep/fade` does: an index over these times would tempt the planner to begin
// there in statements that know better.
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
