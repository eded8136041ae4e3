// Judges the memory `m` at a time when it held, as far as is known today, whatever times a read asks about: what was true
// once can be corrected and forgotten too, and is known by its names.
// expects: m, place (fragment home)
// params: $now
WITH *, place {.*, as_of: m.valid_from, known_at: $now} AS place
