// The memories that name one of the entities `$about` or are about it, and those of the entities one relation away, as
// far as the viewer may see them: of the nearest to the question `$limit` each. A relation holds for whoever may see a
// memory that says so (M15). `score` is 1 for an entity itself, one half for what it is related to.
// params: $about, $vector, $limit, $reads
// returns: found
// mode: read
// slots: a, b

// include: viewpoint_of_request
// include: my_chats
CALL (viewpoint, my_chats) {
  UNWIND $about AS id
  MATCH (e:Entity {id: id})
  CALL (e, viewpoint) {
    RETURN e AS about, 1.0 AS weight
  UNION ALL
    MATCH (e)-[related:RELATED_TO]-(other:Entity)
    CALL (related, viewpoint) {
      UNWIND related.evidence AS evidence_id
      MATCH (m:Memory {id: evidence_id})
      // include: visible
      WITH m LIMIT 1
      RETURN count(m) > 0 AS holds
    }
    WITH other, holds WHERE holds
    RETURN other AS about, 0.5 AS weight LIMIT 20
  }
  CALL (about, my_chats) {
    MATCH (about)<-[:ABOUT|MENTIONS]-(m:Memory)
    // include: reachable
    RETURN DISTINCT m LIMIT $reads
  }
  WITH DISTINCT m, max(weight) AS score, viewpoint
  // include: visible
  // include: matching
  // include: query_cosine
  WITH m, score, cosine
  ORDER BY score DESC, coalesce(cosine, -2.0) DESC, m.event_time DESC, m.id LIMIT $limit
  // include: candidates
}
RETURN found
