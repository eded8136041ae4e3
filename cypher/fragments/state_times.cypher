// The two times of a read of the viewer's state (M14), both now when not given. A server whose clock is behind that of
// the one which wrote last takes the time of that write for now: what was acknowledged is there.
// params: $viewer, $as_of, $known_at, $now
CALL () {
  OPTIONAL MATCH (p:Person {id: $viewer})
  WITH CASE WHEN p.state_recorded_at > $now THEN p.state_recorded_at ELSE $now END AS now
  RETURN coalesce($as_of, now) AS as_of, coalesce($known_at, now) AS known_at
}
