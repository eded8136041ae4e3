// Filters the todos `t` to those that the viewer may see: those set by hand, and those found in a memory that they may
// see where they see most of it (M15).
// expects: t, my_chats and my_groups (fragment my_chats)
CALL (t, my_chats, my_groups) {
  MATCH (t)-[:DERIVED_FROM]->(m:Memory)
  // include: viewpoint_of_memory
  // include: visible
  RETURN count(m) AS seen_sources
}
WITH * WHERE t.source = 'agent' OR seen_sources > 0
