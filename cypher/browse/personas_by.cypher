// Personas by their ids or names.
// params: $ids, $names
// returns: persona
// mode: read
MATCH (p:Persona) WHERE p.id IN $ids OR p.name IN $names
RETURN p {.id, .name} AS persona
