// How many links the memories that the viewer may see have to entities, and to other memories that the viewer may see.
// params: -
// returns: links
// mode: read

// include: my_chats
// include: own_memories
// include: viewpoint_of_memory
// include: visible
CALL (m) {
  MATCH (m)-[link:ABOUT|MENTIONS]->(:Entity)
  RETURN count(link) AS to_entities
}
WITH my_chats, my_groups, m AS one, to_entities
CALL (one, my_chats, my_groups) {
  MATCH (one)-[link:TEMPORAL|CAUSAL|ENTITY|DERIVED_FROM|SUPERSEDES|CONTRADICTS|CO_RECALLED]->(m:Memory)
  // include: viewpoint_of_memory
  // include: visible
  RETURN count(link) AS to_memories
}
RETURN sum(to_entities + to_memories) AS links
