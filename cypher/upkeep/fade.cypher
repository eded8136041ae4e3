// Retires facts that have faded, as of when they did, so that a late run changes nothing (T2): of the `$limit` memories after
// a place in the order of their ids. `position` is the place to go on from, null at the end.
// params: $position, $limit, $now, $label_terms
// returns: changed, position
// mode: write

// include: page_of_ids(label=Memory)
CALL (page) {
  UNWIND page AS m
  // include: faded
  SET m.lock = $now
  WITH m
  // include: faded
  SET m.retired_at = faded_at, m.retired_by = 'faded'
  // include: retired
  RETURN count(evidence) AS changed
}
RETURN changed,
       // include: next_position
