// The numbers of nodes and relationships in the graph, for a progress bar.
// params: -
// returns: nodes, relationships
// mode: read
CALL () { MATCH (n) RETURN count(n) AS nodes }
CALL () { MATCH ()-[r]->() RETURN count(r) AS relationships }
RETURN nodes, relationships
