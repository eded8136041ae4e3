// Sets how private a memory is and whether it is of use elsewhere, in the index entries too; what is null stays. Its
// owner, its subjects and who stated it may (P4); who cannot see it gets no row. What follows from it gets the labels that
// its evidence asks for now (M15).
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
