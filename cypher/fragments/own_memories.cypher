// Finds the memories `m` of the viewer, of the chats they take part in, and about the viewer.
// expects: my_chats (fragment my_chats)
// params: $viewer
CALL (my_chats) {
  UNWIND [$viewer] + my_chats AS scope
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  RETURN m
UNION
  MATCH (:Person {id: $viewer})<-[:ABOUT]-(m:Memory)
  RETURN m
}
