// Who takes part in which chat.
// params: -
// returns: chat, name, id
// mode: read
MATCH (p:Person)-[:PARTICIPATES_IN]->(c:Chat)
RETURN c.id AS chat, p.canonical_name AS name, p.id AS id
