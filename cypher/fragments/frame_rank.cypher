// The place of the memory's frame in `$frames`, which is the order for describing a person. A memory without a frame
// comes last.
// expects: m
// params: $frames
WITH *, coalesce([place IN range(0, size($frames) - 1) WHERE $frames[place] = m.frame][0], size($frames)) AS frame_rank
