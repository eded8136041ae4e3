// Personas by their ids.
// params: $ids
// returns: persona
// mode: read
MATCH (p:Persona) WHERE p.id IN $ids
RETURN p {.id, .name} AS persona
