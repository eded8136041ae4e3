// A page of the values of the viewer's state, former ones included.
// params: $viewer, $space, $after, $limit
// returns: id, labels, times, values
// mode: read
CALL () {
  MATCH (s:UserState) WHERE s.id > $after AND s.person_id = $viewer
    AND ($space IS NULL OR coalesce(s.space_id, '') IN ['', $space])
  RETURN s AS seen ORDER BY s.id LIMIT $limit
}
// include: exported_seen(of=seen)
