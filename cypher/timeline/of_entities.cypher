// What is known of some entities within a period, in order of time, each after a position in its list: the memories
// that name it or are about it, as far as the viewer may see them from where they stand.
// params: $places, $limit
// returns: key, memory, pending, entities
// mode: read

// include: viewpoint_of_request
UNWIND $places AS start
CALL (start, viewpoint) {
  MATCH (:Entity {key: start.key})<-[:ABOUT|MENTIONS]-(m:Memory)
  WHERE m.event_time > start.time OR m.event_time = start.time AND m.id > start.id
  WITH DISTINCT m, viewpoint
  // include: in_period
  WITH m, viewpoint ORDER BY m.event_time, m.id
  // include: visible
  WITH m ORDER BY m.event_time, m.id LIMIT $limit
  RETURN m
}
WITH viewpoint, start.key AS key, m
// include: memory_values
RETURN key, memory, pending, entities ORDER BY key, m.event_time, m.id
