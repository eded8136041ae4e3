// Searches the vector index of the parts of long texts once per row of `$$rows`, under the condition `$$bound`.
// `$$lists` gets one list of {memory, nearness, person} per row; the memory is the whole, `person` is null. The planner
// needs different variable names for the searches of one statement, so `$$row`, `$$found` and `$$lists` are given.
// takes: rows, row, found, bound, lists
// params: $vector, $limit
CALL () {
  UNWIND $$rows AS $$row
  CALL ($$row) {
    MATCH ()-[$$found:HAS_PART]->()
    SEARCH $$found IN (
      VECTOR INDEX part_vector_$$slot FOR $vector
      WHERE $$bound
      // include: index_filters(m=$$found, row=$$row)
      LIMIT $limit
    ) SCORE AS nearness
    RETURN collect({memory: startNode($$found), nearness: nearness, person: null}) AS hits
  }
  RETURN collect(hits) AS $$lists
}
