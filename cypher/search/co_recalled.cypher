// The viewer's own memories that were returned to them together with their own among the seeds before, as far as they may
// see them, those most often together first; with the way to each (T6). The strength of a way is s / (s + 1), s how often they were.
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
