// Judges the memory `m` as of the time when it was recorded, and at a time when it held. So retired memories are shown
// too, to explain how something came to be believed (M13). The labels are always today's (M14).
// expects: m, viewpoint (fragment viewpoint_of_memory)
WITH *, viewpoint {.*, as_of: m.valid_from, known_at: m.created_at} AS viewpoint
