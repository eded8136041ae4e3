// Keeps of the todos `t` those that the viewer may see: what was set by hand, and what was found in memories that they may
// see where they see most of them (M15).
// expects: t, my_chats and my_groups (fragment my_chats)
CALL (t, my_chats, my_groups) {
  MATCH (t)-[:DERIVED_FROM]->(m:Memory)
  // include: viewpoint_of_memory
  // include: visible
  RETURN count(m) AS seen_sources
}
WITH * WHERE t.source = 'agent' OR seen_sources > 0
