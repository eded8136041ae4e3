// Walks from the memories `$seeds` along `$$type` relationships, forward and backward, up to `$depth` hops (at most 4), and
// gives the memories that it comes to as `paths`: {seed, steps, hops, strength}, where `steps` are the memories on the way
// from the seed on, and `strength` is the product of the confidences. A path through a memory that the viewer may not see
// does not exist. At most `$most` paths of each seed, the shortest first.
// expects: viewpoint (fragment viewpoint_of_request)
// takes: type
// params: $seeds, $depth, $most, $known_at
CALL () {
  UNWIND $seeds AS seed
  MATCH (start:Memory {id: seed})
  CALL (start) {
    MATCH path = (start)-[:$$type*1..4]->(:Memory) WHERE length(path) <= $depth
    RETURN path
  UNION ALL
    MATCH path = (start)<-[:$$type*1..4]-(:Memory) WHERE length(path) <= $depth
    RETURN path
  }
  WITH seed, path WHERE all(r IN relationships(path) WHERE r.created_at <= $known_at)
  WITH seed, path ORDER BY length(path), last(nodes(path)).id
  WITH seed, collect({
    seed: seed, steps: tail(nodes(path)), hops: length(path),
    strength: reduce(all = 1.0, r IN relationships(path) | all * r.confidence)
  })[..$most] AS found
  UNWIND found AS one
  RETURN collect(one) AS walks
}
CALL (walks, viewpoint) {
  UNWIND walks AS walk
  UNWIND walk.steps AS m
  WITH DISTINCT m, viewpoint
  // include: visible
  RETURN collect(m.id) AS seen
}
CALL (walks, seen) {
  UNWIND walks AS walk
  WITH walk, seen WHERE all(step IN walk.steps WHERE step.id IN seen)
  RETURN collect(walk) AS paths
}
