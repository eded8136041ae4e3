// How many entities are named in the memories that the viewer may see.
// params: -
// returns: entities
// mode: read

// include: my_chats
// include: mine
// include: home
// include: visible
MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity)
RETURN count(DISTINCT e) AS entities
