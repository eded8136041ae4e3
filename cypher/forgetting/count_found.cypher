// Stores how many further memories would go with those that a plan of the viewer selects: the facts that rest on these
// alone and that the viewer may see, and the copies that the viewer shared with groups.
// params: $forgetting_id, $no_end
// returns: -
// mode: write

// include: my_chats
MATCH (f:Forgetting {id: $forgetting_id, person_id: $viewer})
CALL (f, my_chats, my_groups) {
  MATCH (f)-[:SELECTS]->(:Memory)<-[from:DERIVED_FROM]-(found:Memory) WHERE
  // include: was_extracted
  WITH DISTINCT f, found, my_chats, my_groups
  WHERE NOT EXISTS { (f)-[:SELECTS]->(found) }
    AND NOT EXISTS {
      MATCH (found)-[:DERIVED_FROM]->(other:Memory)
      WHERE other.retired_at = $no_end AND NOT EXISTS { (f)-[:SELECTS]->(other) }
    }
  // include: unedited
  WITH found AS m, my_chats, my_groups
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: visible
  RETURN collect(m) AS found
}
CALL (f) {
  MATCH (f)-[:SELECTS]->(:Memory)<-[:DERIVED_FROM {shared: true}]-(copy:Memory)
  WHERE copy.retired_at = $no_end AND NOT EXISTS { (f)-[:SELECTS]->(copy) }
  RETURN count(DISTINCT copy) AS shared
}
SET f.planned_found = size(found) + shared
