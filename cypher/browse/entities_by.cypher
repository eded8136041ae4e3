// Entities by their ids or keys, for those that were merged away what they became, as far as the viewer may know of
// them.
// params: $ids, $keys
// returns: entity
// mode: read

// include: my_chats
CALL () {
  MATCH (e:Entity) WHERE e.id IN $ids OR e.key IN $keys
  RETURN e
UNION
  MATCH (merged:Merged) WHERE merged.id IN $ids OR merged.key IN $keys
  MATCH (merged)-[:MERGED_INTO]->+(e:Entity)
  RETURN e
}
// include: known_of
RETURN e {.id, .key, .type, .canonical_name, .aliases, .usernames} AS entity
