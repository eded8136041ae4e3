// Personalised PageRank of memories, over the memories and entities that the viewer may see, from the memories `$seeds`
// and the entities `$about`: four steps of its power series, `score = (1 - damping) · Σ mass` (Page et al., 1999;
// Haveliwala, 2002). Of those that the filters let pass the `$limit` best, without the seeds.
// params: $seeds, $about, $vector, $limit
// returns: found
// mode: read
// slots: a, b

// include: viewpoint_of_request
// include: my_chats
CALL () {
  UNWIND $seeds + $about AS id
  CALL (id) {
    MATCH (start:Memory {id: id}) RETURN start
  UNION
    MATCH (start:Entity {id: id}) RETURN start
  }
  RETURN collect({node: start, mass: 1.0}) AS starts
}
// include: page_rank_step(from=starts, to=first)
// include: page_rank_step(from=first, to=second)
// include: page_rank_step(from=second, to=third)
// include: page_rank_step(from=third, to=fourth)
CALL (first, second, third, fourth, viewpoint) {
  UNWIND first + second + third + fourth AS each
  WITH each.node AS m, (1 - $damping) * sum(each.mass) AS score, viewpoint WHERE m:Memory AND NOT m.id IN $seeds
  // include: visible
  // include: matching
  WITH m, score ORDER BY score DESC, m.id LIMIT $limit
  WITH m, score, 2 * vector.similarity.cosine(m.embedding_$$slot, $vector) - 1 AS cosine
  // include: candidates
}
RETURN found
