// Sets the sensitivity of a memory and whether it is portable, in the index entries too; null leaves a label as it is.
// Its owner, its subjects and whoever stated it may (P4); a viewer who cannot see it gets no row. Memories derived from
// it get the labels that their evidence asks for now (M15).
// params: $id, $sensitivity, $portable, $no_end
// returns: allowed
// mode: write

// include: seen_memory
// include: may_label
// include: lock_live
WITH m, allowed
CALL (m, allowed) {
  WITH m, $sensitivity AS sensitivity, $portable AS portable WHERE allowed
  // include: set_labels
  WITH m AS evidence
  // include: refresh_derived_labels
}
RETURN allowed
