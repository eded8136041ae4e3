// Projects, into the memory of Graph Data Science and under this name, the entities that come up in these memories: two
// that come up in one are joined, and the weight is in how many they do.
// params: $name, $sources
// returns: entities, links
// mode: read
UNWIND $sources AS id
MATCH (a:Entity)<-[:ABOUT|MENTIONS]-(m:Memory {id: id})-[:ABOUT|MENTIONS]->(b:Entity) WHERE a.id < b.id
WITH a, b, count(DISTINCT m) AS weight ORDER BY a.id, b.id
WITH gds.graph.project(
  $name, a, b, {relationshipProperties: {weight: toFloat(weight)}}, {undirectedRelationshipTypes: ['*']}
) AS projected
RETURN projected.nodeCount AS entities, projected.relationshipCount AS links
