// Judges the memory `m` at a time when it held, as far as is known today, whatever times a read asks about: what was true
// once can be corrected and forgotten too, and is known by its names.
// expects: m, viewpoint (fragment viewpoint_of_memory)
// params: $now
WITH *, viewpoint {.*, as_of: m.valid_from, known_at: $now} AS viewpoint
