// Says in which time zone a person is (null: nobody knows).
// params: $viewer, $time_zone
// returns: -
// mode: write
MATCH (p:Person {id: $viewer})
SET p.time_zone = $time_zone
