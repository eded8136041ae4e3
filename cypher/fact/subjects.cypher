// The entities of these ids or keys: whom or what a fact is about; for one that was merged away what it became. Anyone may
// refer to them (P4).
// params: $refs
// returns: ref, id, key, type
// mode: read
UNWIND $refs AS ref
CALL (ref) {
  MATCH (e:Entity) WHERE e.id = ref OR e.key = ref
  RETURN e
UNION
  MATCH (merged:Merged) WHERE merged.id = ref OR merged.key = ref
  MATCH (merged)-[:MERGED_INTO]->+(e:Entity)
  RETURN e
}
RETURN ref, e.id AS id, e.key AS key, e.type AS type
