// The community (Leiden) and the centrality (PageRank) of each entity of a projection, and the modularity of the
// communities. One thread and a fixed seed make the result repeatable.
// params: $name
// returns: entity, key, community, centrality, modularity
// mode: read
CALL gds.leiden.mutate($name, {
  mutateProperty: 'community', relationshipWeightProperty: 'weight', randomSeed: 7, concurrency: 1
}) YIELD modularity
CALL gds.pageRank.mutate($name, {
  mutateProperty: 'centrality', relationshipWeightProperty: 'weight', concurrency: 1
}) YIELD ranIterations
CALL gds.graph.nodeProperty.stream($name, 'centrality') YIELD nodeId, propertyValue AS centrality
WITH gds.util.asNode(nodeId) AS e, gds.util.nodeProperty($name, nodeId, 'community') AS community, centrality, modularity
RETURN e.id AS entity, e.key AS key, community, centrality, modularity ORDER BY key
