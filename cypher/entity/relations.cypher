// A page of the relations of each of some entities, in both directions, sorted. A relation is returned if the viewer
// may see a memory that states it, from where they stand, and may know of both entities. `evidence` are the latest
// `$most` of these memories; nothing is told of the others (M15).
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
