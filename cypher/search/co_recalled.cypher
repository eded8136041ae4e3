// The viewer's own memories that were returned to them together with seeds of their own, with the path from each seed
// (T6); most often first, as far as the viewer may see them. The strength of a path is s / (s + 1), where s is how
// often both were returned together.
// params: $seeds, $most, $vector
// returns: found, paths
// mode: read
// slots: a, b

// include: viewpoint_of_request
CALL (viewpoint) {
  UNWIND $seeds AS seed
  MATCH (:Memory {id: seed, owner_id: $viewer})-[link:CO_RECALLED]-(m:Memory {owner_id: $viewer})
  WHERE link.created_at <= $known_at
  WITH m, viewpoint, collect({seed: seed, strength: link.strength / (link.strength + 1.0)}) AS ways
  // include: visible
  // include: matching
  WITH m, ways, reduce(best = 0.0, way IN ways | CASE WHEN way.strength > best THEN way.strength ELSE best END) AS score
  ORDER BY score DESC, m.id LIMIT $most
  RETURN collect({memory: m, ways: ways, score: score}) AS near
}
CALL (near) {
  UNWIND near AS one
  WITH one.memory AS m, one.score AS score
  // include: query_cosine
  // include: candidates
}
RETURN found, reduce(all = [], one IN near | all + [way IN one.ways | {
  seed: way.seed, hops: 1, strength: way.strength, steps: [one.memory.id]
}]) AS paths
