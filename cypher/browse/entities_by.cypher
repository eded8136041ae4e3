// Entities by their ids or keys (`ref`), if the viewer may know of them, with the names that the viewer sees; for
// merged entities those into which they were merged. Every list of entities is read by this statement.
// params: $refs
// returns: ref, entity
// mode: read

// include: my_chats
UNWIND $refs AS ref
CALL (ref) {
  MATCH (e:Entity {id: ref})
  RETURN e
UNION
  MATCH (e:Entity {key: ref})
  RETURN e
UNION
  MATCH (merged:Merged) WHERE merged.id = ref OR merged.key = ref
  MATCH (merged)-[:MERGED_INTO]->+(e:Entity)
  RETURN e
}
// include: known_of
// include: as_entity
RETURN ref, entity
