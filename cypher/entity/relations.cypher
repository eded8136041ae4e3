// What some entities are to others and they to them, in order, each from a place in its list on: what some memory says
// that the viewer may see from where they stand, of entities that they may both know of. Each with the latest of these
// memories, and with nothing of the others (M15).
// params: $places, $most, $limit
// returns: key, source, predicate, target, evidence
// mode: read

// include: viewpoint_of_request
// include: my_chats
UNWIND $places AS start
CALL (start, viewpoint, my_chats, my_groups) {
  MATCH (:Entity {key: start.key})-[related:RELATED_TO]-(:Entity)
  WITH start, viewpoint, my_chats, my_groups, related, related.predicate AS predicate,
       startNode(related) AS source, endNode(related) AS target
  WHERE [predicate, source.key, target.key] > [start.predicate, start.source, start.target]
  WITH * ORDER BY predicate, source.key, target.key
  CALL (related, viewpoint) {
    UNWIND reverse(related.evidence) AS id
    MATCH (m:Memory {id: id})
    // include: visible
    WITH m LIMIT $most
    RETURN collect(m.id) AS evidence
  }
  WITH * WHERE size(evidence) > 0
  CALL (source, target, my_chats, my_groups) {
    UNWIND [source, target] AS e
    // include: known_of
    RETURN count(*) AS known_ends
  }
  WITH * WHERE known_ends = 2
  WITH * ORDER BY predicate, source.key, target.key LIMIT $limit
  RETURN source, predicate, target, evidence
}
WITH * ORDER BY start.key, predicate, source.key, target.key
RETURN start.key AS key, source.id AS source, predicate, target.id AS target, evidence
