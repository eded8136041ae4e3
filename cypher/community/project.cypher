// Projects the entities in these memories into the memory of Graph Data Science under `$name`. Two entities are linked
// if they come up in the same memory; the weight is the number of such memories.
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
