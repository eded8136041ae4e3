// Sets how private a memory is and whether it is of use elsewhere, in the index entries too; what is null stays. Its
// owner, its subjects and who stated it may (P4); who cannot see it gets no row. What was found in a turn is from then
// on at least as private as the turn (M15).
// params: $id, $sensitivity, $portable, $tokens, $dropped, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: home
// include: ever
// include: visible
// include: may_mark
// include: still
WITH m AS turn, allowed
CALL (turn, allowed) {
  WITH turn WHERE allowed
  CALL (turn) {
    RETURN turn AS m
  UNION ALL
    MATCH (turn)<-[from:DERIVED_FROM]-(found:Memory)
    WHERE size(from.said) > 0 AND found.source IN ['extraction', 'consolidation'] AND (
      CASE $sensitivity WHEN 'sensitive' THEN 2 WHEN 'personal' THEN 1 ELSE 0 END
        > CASE found.sensitivity WHEN 'sensitive' THEN 2 WHEN 'personal' THEN 1 ELSE 0 END
      OR $portable = false)
    RETURN found AS m
  }
  SET m.guessed = [mark IN m.guessed WHERE NOT (mark = 'sensitivity' AND $sensitivity IS NOT NULL
                                                OR mark = 'portable' AND $portable IS NOT NULL)],
      m.sensitivity = coalesce($sensitivity, m.sensitivity), m.portable = coalesce($portable, m.portable),
      m.facets = [facet IN m.facets WHERE NOT facet IN $dropped] + $tokens
  WITH m
  // include: about_marks
}
RETURN allowed
