// Sets the time zone of the viewer (null: unknown).
// params: $viewer, $time_zone
// returns: -
// mode: write
MATCH (p:Person {id: $viewer})
SET p.time_zone = $time_zone
