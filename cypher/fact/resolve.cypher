// The entities that names in facts mean which are about to be written, found or made.
// params: $names, $now
// returns: number, id, key, type, name
// mode: write
CALL () {
  // Those that are known in the order of their ids, as everybody locks them; then new ones in that of their names.
  UNWIND $names AS name
  WITH DISTINCT name.known[0] AS id ORDER BY id
  MATCH (known:Entity {id: id})
  SET known.lock = $now
}
UNWIND $names AS name
WITH {event_time: $now} AS m, name ORDER BY name.type, name.place, name.follows
// include: named
// Under its lock it is seen whether it was merged away meanwhile.
SET entity.lock = $now
WITH name, entity
MATCH (entity)-[:MERGED_INTO]->*(meant:Entity)
RETURN name.number AS number, meant.id AS id, meant.key AS key, meant.type AS type, name.text AS name
