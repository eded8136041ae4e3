// The entities that names in turns mean, found or made.
// params: $names, $now
// returns: number, id, key, type, name
// mode: write
UNWIND $names AS name
MATCH (m:Memory {id: name.turn})
WITH m, name ORDER BY name.type, name.place, name.follows
// include: named
// Under its lock it is seen whether it was merged away meanwhile.
SET entity.lock = $now
WITH name, entity
MATCH (entity)-[:MERGED_INTO]->*(meant:Entity)
RETURN name.number AS number, meant.id AS id, meant.key AS key, meant.type AS type, name.text AS name
