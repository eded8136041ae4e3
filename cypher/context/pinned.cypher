// The newest memories that the viewer pinned, of their own and of the group where they stand, as far as they may see
// them there, the oldest first. Pins of others do not count (P6).
// params: $most
// returns: memory, pending, entities
// mode: read

// include: viewpoint_of_request
CALL (viewpoint) {
  UNWIND [one IN [$viewer, viewpoint.group] WHERE one IS NOT NULL] AS scope
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, pinned)
  WHERE m.scope = scope AND m.pinned = true AND $viewer IN m.pinned_by
  WITH m, viewpoint ORDER BY m.created_at DESC, m.id DESC
  // include: visible
  WITH m ORDER BY m.created_at DESC, m.id DESC LIMIT $most
  RETURN m
}
WITH m, viewpoint ORDER BY m.created_at DESC, m.id DESC LIMIT $most
// include: as_memory
ORDER BY m.created_at, m.id
