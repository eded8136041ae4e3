// The personas by name, from a place in the list on.
// params: $after, $limit
// returns: persona
// mode: read
MATCH (p:Persona) WHERE p.name > $after
RETURN p {.id, .name} AS persona ORDER BY p.name LIMIT $limit
