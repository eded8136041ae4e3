// A vector search like those of this service. It is only planned, to find out whether the server supports the syntax.
// params: $vector, $scope
// returns: score
// mode: read
MATCH (probe:Memory)
SEARCH probe IN (VECTOR INDEX memory_vector_a FOR $vector WHERE probe.scope = $scope LIMIT 1) SCORE AS score
RETURN score
