// The memories that lie along CAUSAL relationships from the seeds, as far as the viewer may see them and every memory on the
// way, and how each is reached; the nearest first.
// params: $seeds, $depth, $most, $vector
// returns: found, paths
// mode: read
// slots: a, b

// include: viewpoint_of_request
// include: walked(type=CAUSAL)
CALL (paths) {
  UNWIND paths AS path
  WITH last(path.steps) AS m, max(path.strength / path.hops) AS score
  // include: matching
  // include: query_cosine
  // include: candidates
}
RETURN found, [path IN paths | path {.seed, .hops, .strength, steps: [step IN path.steps | step.id]}] AS paths
