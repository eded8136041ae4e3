// Computes the two times of a read of the viewer's state, `as_of` and `known_at` (M14); each defaults to now. If this
// server's clock is behind that of the server that wrote last, now is the time of that write, so that acknowledged
// writes are visible.
// params: $viewer, $as_of, $known_at, $now
CALL () {
  OPTIONAL MATCH (p:Person {id: $viewer})
  WITH CASE WHEN p.state_recorded_at > $now THEN p.state_recorded_at ELSE $now END AS now
  RETURN coalesce($as_of, now) AS as_of, coalesce($known_at, now) AS known_at
}
