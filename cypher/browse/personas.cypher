// A page of the personas, sorted by name.
// params: $after, $limit
// returns: persona
// mode: read
MATCH (p:Persona) WHERE p.name > $after
RETURN p {.id, .name} AS persona ORDER BY p.name LIMIT $limit
