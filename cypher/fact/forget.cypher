// Retires a memory from now on (M13); reads of an earlier time still find it. What was found in a turn and nowhere
// else is retired with it, unless somebody made it theirs; other facts get the labels that their remaining evidence
// requires. With `$with_sources`, the turns of a fact's evidence in which nothing else was found are retired too, if
// the viewer may forget them.
// params: $id, $with_sources, $no_end
// returns: allowed
// mode: write

// include: seen_memory
// include: may_change
// include: lock_live
WITH m AS turn, allowed, my_chats, my_groups, CASE WHEN allowed THEN [m] ELSE [] END AS gone
// include: forgotten_with(act='')
WITH turn, allowed, my_chats, my_groups, CASE WHEN allowed AND $with_sources THEN [turn] ELSE [] END AS facts
CALL (facts, my_chats, my_groups) {
  UNWIND facts AS fact
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
RETURN allowed
