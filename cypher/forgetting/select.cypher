// Looks through a page of the memories of an owner or a group, or through those of `$ids`, and adds to a plan those
// that match and that the viewer may forget: their own, what they said in a group, and what they imported. Retired
// memories are included, to be purged, if asked for (`$given_up`) or given by id. Returns no row if there is nothing
// more to look through.
// params: $forgetting_id, $scope, $from_time, $from_id, $ids, $chats, $import_id, $given_up, $shown, $limit, $latest, $no_end
// returns: looked, time, id, planned
// mode: write

// include: my_chats
MATCH (f:Forgetting {id: $forgetting_id, person_id: $viewer, status: 'planned'})
CALL () {
  WITH 1 AS all WHERE size($ids) = 0
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = $scope AND m.event_time >= $from_time AND m.id IS NOT NULL AND m.event_time < $latest
    AND CASE m.event_time WHEN $from_time THEN m.id > $from_id ELSE true END
  WITH m ORDER BY m.scope, m.event_time, m.id LIMIT $limit
  RETURN m
UNION ALL
  UNWIND $ids AS id
  MATCH (m:Memory {id: id})
  RETURN m
}
WITH f, my_chats, my_groups, collect(m) AS page
CALL (page, my_chats, my_groups) {
  UNWIND page AS m
  WITH * WHERE NOT m:Summary
    AND (m.owner_id = $viewer OR m.chat_id IN my_chats AND (m.speaker_id = $viewer OR coalesce(m.import_id = $import_id, false)))
    AND (m.retired_at = $no_end AND m.expires_at > $now OR $given_up OR size($ids) > 0)
    AND (size($chats) = 0 OR m.learned_in IN $chats)
    AND ($import_id IS NULL OR m.import_id = $import_id)
  // include: matching
  // include: viewpoint_of_memory
  // include: as_it_was
  WITH *, viewpoint {.*, status: m.status} AS placed
  WITH m, my_chats, my_groups, placed AS viewpoint
  // include: visible
  RETURN collect(m) AS chosen
}
CALL (f, chosen) {
  UNWIND chosen AS m
  MERGE (f)-[selected:SELECTS]->(m)
  ON CREATE SET selected.created_at = $now
}
WITH f, page, chosen, [m IN chosen WHERE m.retired_at = $no_end] AS believed
SET f.examples = (f.examples + [m IN CASE WHEN size($ids) > 0 THEN chosen ELSE believed END | m.id])[..$shown],
    f.planned_given_up = f.planned_given_up + size(chosen) - size(believed),
    f.planned_turns = f.planned_turns + size([m IN believed WHERE m:Episodic]),
    f.planned_facts = f.planned_facts + size([m IN believed WHERE m:Semantic]),
    f.planned_procedures = f.planned_procedures + size([m IN believed WHERE m:Procedural]),
    f.planned_opinions = f.planned_opinions + size([m IN believed WHERE m:Opinion])
RETURN size(page) AS looked, page[-1].event_time AS time, page[-1].id AS id,
       f.planned_given_up + f.planned_turns + f.planned_facts + f.planned_procedures + f.planned_opinions AS planned
