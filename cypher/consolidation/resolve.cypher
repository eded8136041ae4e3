// The entities that names in turns mean, found or made.
// params: $names, $now
// returns: number, id, key, type
// mode: write
UNWIND $names AS name
MATCH (m:Memory {id: name.turn})
WITH m, name ORDER BY name.type, name.token
// include: named
RETURN name.number AS number, entity.id AS id, entity.key AS key, entity.type AS type
