// A page of the values of the viewer's state, former ones included.
// params: $viewer, $after, $limit
// returns: id, labels, times, values
// mode: read
CALL () { MATCH (s:UserState) WHERE s.id > $after AND s.person_id = $viewer RETURN s AS seen ORDER BY s.id LIMIT $limit }
// include: exported_seen(of=seen)
