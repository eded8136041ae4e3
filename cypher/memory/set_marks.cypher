// Sets how private a memory is and whether it is of use elsewhere, in the index entries too; what is null stays. Its
// owner, its subjects and who stated it may (P4); who cannot see it gets no row. What follows from it gets the marks that
// its evidence asks for now (M15).
// params: $id, $sensitivity, $portable, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: home
// include: ever
// include: visible
// include: may_mark
// include: still
WITH m, allowed
CALL (m, allowed) {
  WITH m, $sensitivity AS sensitivity, $portable AS portable WHERE allowed
  // include: told_marks
  WITH m AS evidence
  // include: following_marks
}
RETURN allowed
