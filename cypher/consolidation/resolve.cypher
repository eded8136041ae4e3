// Finds or creates the entities that names mean, in turns or in facts that are about to be written (without a `turn`).
// A type that follows from the slot of a frame (`told`) counts as two certain mentions of that type.
// params: $names, $now
// returns: number, id, key, type, name
// mode: write
CALL () {
  // Known entities are locked in the order of their ids, as everywhere; then new ones in that of their names.
  UNWIND $names AS name
  WITH DISTINCT name.known[0] AS id ORDER BY id
  MATCH (known:Entity {id: id})
  SET known.lock = $now
}
UNWIND $names AS name
OPTIONAL MATCH (turn:Memory {id: name.turn})
WITH name, turn, {turn: turn, event_time: coalesce(turn.event_time, $now)} AS m ORDER BY name.type, name.place, name.follows
WHERE turn IS NOT NULL OR name.turn IS NULL
// include: named
// Locked first, to see whether it was merged meanwhile.
SET entity.lock = $now
WITH m.turn AS turn, name, entity
MATCH (entity)-[:MERGED_INTO]->*(meant:Entity)
CALL (turn, name, meant) {
  MATCH (turn)-[mention:MENTIONS]->(meant) WHERE name.told
  WITH mention, [place IN range(0, size(mention.names) - 1) WHERE mention.names[place] = name.token] AS places, name
  SET mention.types = [place IN range(0, size(mention.names) - 1) |
                       CASE WHEN place IN places THEN name.vote ELSE mention.types[place] END],
      mention.certainties = [place IN range(0, size(mention.names) - 1) |
                             CASE WHEN place IN places THEN 2.0 ELSE mention.certainties[place] END]
}
RETURN name.number AS number, meant.id AS id, meant.key AS key, meant.type AS type, name.text AS name
