// The place of the frame that a memory fills among `$frames`, which are in the order in which a person would tell them; of
// what fills none the place behind all.
// expects: m
// params: $frames
WITH *, coalesce([place IN range(0, size($frames) - 1) WHERE $frames[place] = m.frame][0], size($frames)) AS frame_rank
