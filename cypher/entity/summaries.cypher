// The latest summary of each of some entities that the viewer may see from where they stand: they may see all its
// sources (M15).
// params: $keys
// returns: key, memory, pending, entities, sources
// mode: read

// include: viewpoint_of_request
UNWIND $keys AS key
CALL (key, viewpoint) {
  MATCH (:Entity {key: key})<-[:SUMMARIZES]-(m:EntitySummary)
  WITH m, viewpoint ORDER BY m.created_at DESC, m.id DESC
  // include: visible
  WITH m ORDER BY m.created_at DESC, m.id DESC LIMIT 1
  RETURN m
}
WITH viewpoint, key, m
// include: memory_values
RETURN key, memory, pending, entities, COLLECT { MATCH (m)-[:DERIVED_FROM]->(source:Memory) RETURN source.id } AS sources
