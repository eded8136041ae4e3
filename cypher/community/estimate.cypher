// The maximum memory that finding the communities of these memories takes, for the projection and the larger of the
// two algorithms: in bytes, and as a share of Neo4j's heap (0 to 1). Two entities form a pair if they come up in the
// same memory.
// params: $sources
// returns: entities, pairs, bytes, share
// mode: read
CALL () {
  UNWIND $sources AS id
  MATCH (a:Entity)<-[:ABOUT|MENTIONS]-(:Memory {id: id})-[:ABOUT|MENTIONS]->(b:Entity) WHERE a.id < b.id
  WITH DISTINCT a, b
  WITH count(*) AS pairs, collect(DISTINCT a) + collect(DISTINCT b) AS ends
  RETURN pairs, COUNT { UNWIND ends AS end RETURN DISTINCT end } AS entities
}
WITH pairs, entities, {
  nodeProjection: '*', relationshipProjection: '*', nodeCount: entities, relationshipCount: 2 * pairs
} AS size
CALL gds.graph.project.estimate('*', '*', {nodeCount: entities, relationshipCount: 2 * pairs})
YIELD bytesMax AS projection, heapPercentageMax AS projection_share
CALL gds.leiden.mutate.estimate(size, {mutateProperty: 'community'})
YIELD bytesMax AS leiden, heapPercentageMax AS leiden_share
CALL gds.pageRank.mutate.estimate(size, {mutateProperty: 'centrality'})
YIELD bytesMax AS page_rank, heapPercentageMax AS page_rank_share
RETURN entities, pairs,
       projection + CASE WHEN leiden > page_rank THEN leiden ELSE page_rank END AS bytes,
       projection_share + CASE WHEN leiden_share > page_rank_share THEN leiden_share ELSE page_rank_share END AS share
