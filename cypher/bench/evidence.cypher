// The turns that each fact was found in.
// params: -
// returns: id, turns
// mode: read
MATCH (m:Memory)-[:DERIVED_FROM]->(turn:Episodic)
RETURN m.id AS id, collect(turn.id) AS turns
