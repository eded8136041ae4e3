// How many entities are named in the memories that the viewer may see.
// params: -
// returns: entities
// mode: read

// include: my_chats
CALL (my_chats) {
  UNWIND [$viewer] + my_chats AS scope
  MATCH (m:Memory) USING INDEX m:Memory(scope, event_time, id)
  WHERE m.scope = scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  // include: home
  // include: visible
  MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity)
  RETURN count(DISTINCT e) AS entities
}
RETURN entities
