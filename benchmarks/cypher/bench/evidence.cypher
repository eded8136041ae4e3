// The turns that each fact was found in, and those behind the facts that a summary is made of.
// params: -
// returns: id, turns
// mode: read
MATCH (m:Memory)-[:DERIVED_FROM*1..2]->(turn:Episodic)
RETURN m.id AS id, collect(DISTINCT turn.id) AS turns
