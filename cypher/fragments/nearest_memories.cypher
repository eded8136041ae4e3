// Searches the memories' vector index once for each row of `$$rows`, within the conditions `$$bound`, and gives a list of
// {memory, nearness, person} for each as `$$lists`; `person` is null. The planner wants the names of searches in one
// statement to differ, so `$$row`, `$$found` and `$$lists` are given.
// takes: rows, row, found, bound, lists
// params: $vector, $limit
CALL () {
  UNWIND $$rows AS $$row
  CALL ($$row) {
    MATCH ($$found:Memory)
    SEARCH $$found IN (
      VECTOR INDEX memory_vector_$$slot FOR $vector
      WHERE $$bound
      // include: index_filters(m=$$found, row=$$row)
      LIMIT $limit
    ) SCORE AS nearness
    RETURN collect({memory: $$found, nearness: nearness, person: null}) AS hits
  }
  RETURN collect(hits) AS $$lists
}
