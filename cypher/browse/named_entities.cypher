// Entities by their ids or keys, for a reader of memories that name them: who sees such a memory may see these.
// params: $ids, $keys
// returns: entity
// mode: read
MATCH (e:Entity) WHERE e.id IN $ids OR e.key IN $keys
RETURN e {.id, .key, .type, .canonical_name, .aliases, .usernames} AS entity
