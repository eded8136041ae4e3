// What goes with it that the memory `m` was retired: its key is free, its relationships and what is derived from it follow.
// Leaves `evidence`.
// expects: m
REMOVE m.live_key
WITH m
// include: copy_to_about
// include: relation_times
WITH m AS evidence
// include: refresh_derived_labels
