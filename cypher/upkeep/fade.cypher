// Retires facts that have faded, as of when they did, so that a late run changes nothing (T2): of the `$limit` memories after
// a place in the order of their ids. `position` is the place to go on from, null at the end.
// params: $position, $limit, $now, $label_terms
// returns: changed, position
// mode: write
CALL () {
  MATCH (m:Memory) WHERE m.id > $position
  RETURN m ORDER BY m.id LIMIT $limit
}
WITH collect(m) AS page
CALL (page) {
  UNWIND page AS m
  // include: faded
  SET m.lock = $now
  WITH m
  // include: faded
  SET m.retired_at = faded_at, m.retired_by = 'faded'
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  // include: relation_times
  WITH m AS evidence
  // include: refresh_derived_labels
  RETURN count(evidence) AS changed
}
RETURN changed, CASE WHEN size(page) = $limit THEN page[-1].id END AS position
