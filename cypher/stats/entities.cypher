// Counts the entities that are named in the memories that the viewer may see.
// params: -
// returns: entities
// mode: read

// include: my_chats
// include: own_memories
// include: viewpoint_of_memory
// include: visible
MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity)
RETURN count(DISTINCT e) AS entities
