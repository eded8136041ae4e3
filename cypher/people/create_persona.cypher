// Makes a persona, or gives back the one of that name.
// params: $id, $name, $now
// returns: persona
// mode: write
MERGE (p:Persona {name: $name})
ON CREATE SET p.id = $id, p.created_at = $now
RETURN p {.*} AS persona
