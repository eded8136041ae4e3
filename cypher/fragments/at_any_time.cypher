// Judges the memory `m` at a time when it held, as known today, whatever times a read asks about. So former facts can
// be corrected and forgotten too, and the names in them stay known.
// expects: m, viewpoint (fragment viewpoint_of_memory)
// params: $now
WITH *, viewpoint {.*, as_of: m.valid_from, known_at: $now} AS viewpoint
