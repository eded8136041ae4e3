// The open todos of the viewer with the persona, the earliest due first: those set by hand where the viewer is alone,
// and those found in memories that the viewer may see from where they stand.
// params: $limit
// returns: todo
// mode: read

// include: viewpoint_of_request
MATCH (t:Todo) USING INDEX SEEK t:Todo(person_id, persona_id, created_at, id)
WHERE t.person_id = $viewer AND t.persona_id = viewpoint.persona AND t.created_at IS NOT NULL AND t.id IS NOT NULL
  AND t.status = 'open' AND NOT
  // include: over
WITH t, viewpoint ORDER BY t.due_at IS NULL, t.due_at, t.created_at, t.id
CALL (t, viewpoint) {
  MATCH (t)-[:DERIVED_FROM]->(m:Memory)
  // include: visible
  RETURN count(m) AS seen_sources
}
WITH t, viewpoint, seen_sources WHERE seen_sources > 0 OR t.source = 'agent' AND viewpoint.alone
  AND (viewpoint.every_space OR coalesce(t.space_id, '') IN ['', viewpoint.space])
WITH t ORDER BY t.due_at IS NULL, t.due_at, t.created_at, t.id LIMIT $limit
RETURN
  // include: as_todo
ORDER BY t.due_at IS NULL, t.due_at, t.created_at, t.id
