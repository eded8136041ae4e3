// The memories along relationships of a type (`CAUSAL` or `TEMPORAL`) from the seeds, best first, with the paths to
// each. The viewer may see them and every memory on the way. A path goes forward or backward, `$depth` hops at most (no
// more than 4), and each seed has at most `$most` paths, the shortest first. The strength of a path is the product of
// its confidences.
// No `TEMPORAL` path leads to a short question (fewer than `$asking` characters), which tells nothing of time; it may
// lead past one.
// params: $seeds, $type, $depth, $most, $asking, $vector
// returns: found, paths
// mode: read
// slots: a, b

// include: viewpoint_of_request
CALL () {
  UNWIND $seeds AS seed
  MATCH (start:Memory {id: seed})
  CALL (start) {
    MATCH path = (start)-[:CAUSAL|TEMPORAL*1..4]->(:Memory)
    WHERE all(r IN relationships(path) WHERE type(r) = $type) AND length(path) <= $depth
    RETURN path
  UNION ALL
    MATCH path = (start)<-[:CAUSAL|TEMPORAL*1..4]-(:Memory)
    WHERE all(r IN relationships(path) WHERE type(r) = $type) AND length(path) <= $depth
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
CALL (paths) {
  UNWIND paths AS path
  WITH last(path.steps) AS m, max(path.strength / path.hops) AS score
  WHERE NOT ($type = 'TEMPORAL' AND m.content ENDS WITH '?' AND size(m.content) < $asking)
  // include: matching
  // include: query_cosine
  // include: candidates
}
RETURN found, [path IN paths | path {.seed, .hops, .strength, steps: [step IN path.steps | step.id]}] AS paths
