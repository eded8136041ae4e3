// A vector search as ours are. It is only planned, to find out whether the server has the language for it.
// params: $vector, $scope
// returns: score
// mode: read
MATCH (probe:Memory)
SEARCH probe IN (VECTOR INDEX memory_vector_a FOR $vector WHERE probe.scope = $scope LIMIT 1) SCORE AS score
RETURN score
