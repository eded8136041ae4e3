// Searches the vector index of the ABOUT relationships once for each row of `$$rows`, within the conditions `$$bound`, and
// gives a list of {memory, nearness, person} for each as `$$lists`; `person` is whom the memory is about there. The
// planner wants the names of searches in one statement to differ, so `$$row`, `$$found` and `$$lists` are given.
// takes: rows, row, found, bound, lists
// params: $vector, $limit
CALL () {
  UNWIND $$rows AS $$row
  CALL ($$row) {
    MATCH ()-[$$found:ABOUT]->()
    SEARCH $$found IN (
      VECTOR INDEX about_vector_$$slot FOR $vector
      WHERE $$bound
      // include: index_filters(m=$$found, row=$$row)
      LIMIT $limit
    ) SCORE AS nearness
    RETURN collect({memory: startNode($$found), nearness: nearness, person: $$found.person_id}) AS hits
  }
  RETURN collect(hits) AS $$lists
}
