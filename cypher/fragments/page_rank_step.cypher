// One step of a random walk over memories and entities, as far as the viewer may see them: from each node of the list
// `$$from` ({node, mass}) the mass, less what `$damping` takes, goes in equal parts to what it is joined to; sums are in
// `$$to`. A memory is joined to what it names or is about, an entity to such memories and to what it is related to by a
// memory that the viewer may see (M15). What is joined to more than `$fan` leads nowhere. Of an entity `$reads` memories
// are looked at, and of the sums the greatest `$frontier` are kept.
// expects: viewpoint (fragment viewpoint_of_request), my_chats (fragment my_chats)
// takes: from, to
// params: $damping, $fan, $reads, $frontier
CALL ($$from, viewpoint, my_chats) {
  UNWIND $$from AS each
  WITH each.node AS node, each.mass AS mass, viewpoint, my_chats
  CALL (node, viewpoint, my_chats) {
    WITH node WHERE node:Memory
    MATCH (node)-[:ABOUT|MENTIONS]->(named:Entity)
    RETURN collect(DISTINCT named) AS near
  UNION ALL
    WITH node, viewpoint, my_chats WHERE node:Entity
    CALL (node, viewpoint, my_chats) {
      MATCH (node)<-[:ABOUT|MENTIONS]-(m:Memory)
      // include: reachable
      WITH DISTINCT m, viewpoint LIMIT $reads
      // include: visible
      RETURN collect(m) AS naming
    }
    CALL (node, viewpoint) {
      MATCH (node)-[related:RELATED_TO]-(other:Entity)
      CALL (related, viewpoint) {
        UNWIND related.evidence AS evidence_id
        MATCH (m:Memory {id: evidence_id})
        // include: visible
        WITH m LIMIT 1
        RETURN count(m) > 0 AS holds
      }
      WITH other, holds WHERE holds
      RETURN collect(DISTINCT other) AS kin
    }
    RETURN naming + kin AS near
  }
  WITH mass, near WHERE size(near) <= $fan
  UNWIND near AS following
  WITH following, sum($damping * mass / size(near)) AS mass ORDER BY mass DESC, following.id LIMIT $frontier
  RETURN collect({node: following, mass: mass}) AS $$to
}
