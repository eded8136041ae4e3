// The memories that lie along TEMPORAL relationships from the seeds, as far as the viewer may see them and every memory on the
// way, and how each is reached; the nearest first. What only asks tells nothing: a path leads past a short question, not
// to it.
// params: $seeds, $depth, $most, $asking, $vector
// returns: found, paths
// mode: read
// slots: a, b

// include: viewpoint_of_request
// include: walked(type=TEMPORAL)
CALL (paths) {
  UNWIND paths AS path
  WITH last(path.steps) AS m, max(path.strength / path.hops) AS score
  WHERE NOT (m.content ENDS WITH '?' AND size(m.content) < $asking)
  // include: matching
  // include: query_cosine
  // include: candidates
}
RETURN found, [path IN paths | path {.seed, .hops, .strength, steps: [step IN path.steps | step.id]}] AS paths
