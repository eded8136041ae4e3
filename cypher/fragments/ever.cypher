// Judges the memory `m` at a time when it held: what was true once can be corrected and forgotten too.
// expects: m, place (fragment home)
// params: -
WITH *, place {.*, as_of: m.valid_from} AS place
