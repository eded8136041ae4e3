// Stops believing a memory from now on (M13): what was known before stays as it was. With a turn goes what was found in
// it and nowhere else, unless somebody made that theirs; the rest has the labels that its other evidence asks for. With a
// fact go, if asked for (`$with_sources`), the turns in which nothing else was found, where the viewer may forget them.
// params: $id, $with_sources, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
// include: may_change
// include: lock_live
WITH m AS turn, allowed, my_chats, my_groups
CALL (turn, allowed) {
  WITH turn WHERE allowed
  CALL (turn) {
    RETURN turn AS m
  UNION ALL
    MATCH (turn)<-[from:DERIVED_FROM]-(found:Memory) WHERE size(from.said) > 0
    WITH turn, found ORDER BY found.id
    SET found.lock = $now
    WITH turn, found
    WHERE NOT EXISTS { (found)-[:DERIVED_FROM]->(other:Memory) WHERE other <> turn AND other.retired_at = $no_end }
    // include: unedited
    RETURN found AS m
  }
  SET m.retired_at = $now, m.retired_by = 'forgotten', m.changed_by = $viewer
  REMOVE m.live_key
  WITH m
  // include: copy_to_about
  WITH m
  // include: relation_times
}
WITH turn, allowed, my_chats, my_groups, CASE WHEN allowed AND $with_sources THEN [turn] ELSE [] END AS gone
CALL (gone, my_chats, my_groups) {
  UNWIND gone AS fact
  MATCH (fact)-[:DERIVED_FROM]->(m:Episodic)
  WHERE NOT EXISTS { (m)<-[:DERIVED_FROM]-(other:Memory) WHERE other <> fact AND other.retired_at = $no_end AND NOT other:Summary }
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: visible
  // include: may_change
  WITH * WHERE allowed
  // include: lock_live
  SET m.retired_at = $now, m.retired_by = 'forgotten', m.changed_by = $viewer
  WITH m
  // include: copy_to_about
}
CALL (turn, allowed) {
  WITH turn AS evidence WHERE allowed
  // include: refresh_derived_labels
}
RETURN allowed
