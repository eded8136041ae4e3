// Drops a projection, if it exists.
// params: $name
// returns: dropped
// mode: read
CALL gds.graph.drop($name, false) YIELD graphName
RETURN graphName AS dropped
