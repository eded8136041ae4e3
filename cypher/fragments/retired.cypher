// Completes the retirement of the memory `m`: frees its live key and updates its index copies, its relations and the
// labels of memories derived from it. Leaves `evidence`.
// expects: m
REMOVE m.live_key
WITH m
// include: copy_to_about
// include: relation_times
WITH m AS evidence
// include: refresh_derived_labels
