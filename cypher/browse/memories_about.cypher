// A page of the portable memories about any of these people, of all owners except `$left_out` (null: of all), newest
// first, as far as the viewer may see them from where they stand (R12).
// params: $persons, $left_out, $until, $until_id, $limit
// returns: memory, pending, entities
// mode: read

// include: viewpoint_of_request
UNWIND $persons AS person_id
CALL (person_id, viewpoint) {
  MATCH (m:Memory)-[about:ABOUT]->() USING INDEX SEEK about:ABOUT(person_id, event_time, memory_id)
  WHERE about.person_id = person_id AND about.event_time <= $until AND about.memory_id IS NOT NULL
    AND CASE about.event_time WHEN $until THEN about.memory_id < $until_id ELSE true END
    AND m.portable AND ($left_out IS NULL OR m.owner_id <> $left_out)
  // include: visible
  RETURN m ORDER BY about.person_id DESC, about.event_time DESC, about.memory_id DESC LIMIT $limit
}
WITH DISTINCT m, viewpoint ORDER BY m.event_time DESC, m.id DESC LIMIT $limit
// include: as_memory
ORDER BY m.event_time DESC, m.id DESC
