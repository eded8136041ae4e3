// Retires facts that have faded, as of when they did, so that a late run has the same result (T2). Looks at the
// `$limit` memories after a position, ordered by id. `position` is the next position, null at the end.
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
