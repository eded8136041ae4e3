// Creates a persona, or returns the one with this name.
// params: $id, $name, $now
// returns: persona
// mode: write
MERGE (p:Persona {name: $name})
ON CREATE SET p.id = $id, p.created_at = $now
RETURN p {.*} AS persona
