// A page of all personas.
// params: $after, $limit
// returns: id, labels, times, values
// mode: read
CALL () { MATCH (p:Persona) WHERE p.id > $after RETURN p AS seen ORDER BY p.id LIMIT $limit }
// include: exported_seen(of=seen)
