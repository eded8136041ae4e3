// What an entity is to others and they to it, in order, from a place in the list on: what some memory says that the viewer
// may see from where they stand. Each with the latest of these memories, and with nothing of the others (M15).
// params: $key, $predicate, $source, $target, $most, $limit
// returns: source, predicate, target, evidence
// mode: read

// include: here
MATCH (:Entity {key: $key})-[related:RELATED_TO]-(:Entity)
WITH place, related, related.predicate AS predicate, startNode(related) AS source, endNode(related) AS target
WHERE [predicate, source.key, target.key] > [$predicate, $source, $target]
WITH * ORDER BY predicate, source.key, target.key
CALL (related, place) {
  UNWIND reverse(related.evidence) AS id
  MATCH (m:Memory {id: id})
  // include: visible
  WITH m LIMIT $most
  RETURN collect(m.id) AS evidence
}
WITH * WHERE size(evidence) > 0
RETURN source {.id, .key, .type, .canonical_name, .aliases, .usernames} AS source, predicate,
       target {.id, .key, .type, .canonical_name, .aliases, .usernames} AS target, evidence
ORDER BY predicate, source.key, target.key LIMIT $limit
