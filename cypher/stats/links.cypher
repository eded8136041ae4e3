// Counts, by type, the links of the memories that the viewer may see: to entities, and to other memories that the
// viewer may see.
// params: -
// returns: type, links
// mode: read

// include: my_chats
// include: own_memories
// include: viewpoint_of_memory
// include: visible
WITH my_chats, my_groups, m AS one
CALL (one, my_chats, my_groups) {
  MATCH (one)-[link:ABOUT|MENTIONS]->(:Entity)
  RETURN type(link) AS type
UNION ALL
  MATCH (one)-[link:TEMPORAL|CAUSAL|ENTITY|DERIVED_FROM|SUPERSEDES|CONTRADICTS|CO_RECALLED]->(m:Memory)
  // include: viewpoint_of_memory
  // include: visible
  RETURN type(link) AS type
}
RETURN type, count(*) AS links ORDER BY type
