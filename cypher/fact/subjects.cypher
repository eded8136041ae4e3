// The entities of these ids or keys: whom or what a fact is about. Anyone may refer to them (P4).
// params: $refs
// returns: id, key, type
// mode: read
UNWIND $refs AS ref
MATCH (e:Entity) WHERE e.id = ref OR e.key = ref
RETURN e.id AS id, e.key AS key, e.type AS type
