// A page of entities. Only those that the viewer may know of have labels, with the names that the viewer sees; the
// viewer's own entity also has account and time zone.
// params: $after, $limit
// returns: id, labels, times, values
// mode: read

// include: my_chats
CALL () { MATCH (candidate:Entity) WHERE candidate.id > $after RETURN candidate ORDER BY candidate.id LIMIT $limit }
OPTIONAL CALL (candidate, my_chats, my_groups) {
  WITH candidate AS e, my_chats, my_groups
  // include: known_of
  // include: as_entity
  RETURN entity {.*, user_id: CASE WHEN e.id = $viewer THEN e.user_id END,
                 time_zone: CASE WHEN e.id = $viewer THEN e.time_zone END} AS seen
}
WITH candidate.id AS id, seen, CASE WHEN seen IS NOT NULL THEN
       [label IN labels(candidate) WHERE NOT label IN ['Pending', 'Failed']] END AS labels ORDER BY id
RETURN id, labels,
       // include: exported_properties(of=seen)
