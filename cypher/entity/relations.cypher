// What an entity is to others and they to it, in order, from a place in the list on: what some memory says that the viewer
// may see from where they stand, of entities that they may both know of. Each with the latest of these memories, and with
// nothing of the others (M15).
// params: $key, $predicate, $source, $target, $most, $limit
// returns: source, predicate, target, evidence
// mode: read

// include: viewpoint_of_request
// include: my_chats
MATCH (:Entity {key: $key})-[related:RELATED_TO]-(:Entity)
WITH viewpoint, my_chats, my_groups, related, related.predicate AS predicate,
     startNode(related) AS source, endNode(related) AS target
WHERE [predicate, source.key, target.key] > [$predicate, $source, $target]
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
RETURN source.id AS source, predicate, target.id AS target, evidence
