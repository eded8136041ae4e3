// A page of the archived memories of the viewer, of their chats and about them, as far as they may see them, the
// latest archived first. Each memory is judged from where the viewer sees most of it.
// params: $until, $until_id, $limit
// returns: memory, pending, entities, archived_at
// mode: read

// include: my_chats
CALL (my_chats) {
  UNWIND [$viewer] + my_chats AS scope
  MATCH (m:Archived) USING INDEX SEEK m:Archived(scope, archived_at, id)
  WHERE m.scope = scope AND m.archived_at <= $until AND m.id IS NOT NULL
  RETURN m
UNION
  MATCH (:Person {id: $viewer})<-[:ABOUT]-(m:Archived)
  RETURN m
}
WITH * WHERE m.archived_at < $until OR m.archived_at = $until AND m.id > $until_id
// include: viewpoint_of_memory
WITH *, viewpoint {.*, status: 'archived'} AS placed
WITH my_chats, my_groups, m, placed AS viewpoint
// include: visible
WITH m, viewpoint ORDER BY m.archived_at DESC, m.id LIMIT $limit
// include: memory_values
RETURN memory, pending, entities, m.archived_at AS archived_at ORDER BY archived_at DESC, m.id
