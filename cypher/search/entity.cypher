// The memories that name the entities `$about` or are about them, or entities one relation away, as far as the viewer
// may see them: the best `$limit` by `score`, then by cosine to the query. `score` is 1 for a named entity itself, 0.5
// for a related one. A relation holds for viewers who may see a memory that states it (M15). At most `$reads` memories
// of each entity are read.
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
