// The community (Leiden) and the centrality (PageRank) of each entity of a projection, and how far apart the communities
// are (modularity). One thread and a seed: the same projection gives the same answer.
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
