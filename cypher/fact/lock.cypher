// Takes the locks for writing facts, always in the same order: on a place in the queue for so many items, where one is
// wanted (`$place` is its owner or group), on the scope and on whom they are about. Who comes second waits here, and looks
// at the clock and at what is believed only then. The place says when the items are due.
// params: $place, $items, $apart, $locked_chat, $locked_entities, $now
// returns: due_at, chats, entities
// mode: write
OPTIONAL CALL () {
  WITH 1 AS one WHERE $place <> ''
  MERGE (place:Lock {name: 'place facts ' + $place})
  SET place.at = $now
  WITH place, CASE WHEN place.next > $now THEN place.next ELSE $now END AS due_at
  SET place.next = due_at + duration({milliseconds: $apart * $items})
  RETURN due_at
}
CALL (due_at) {
  OPTIONAL MATCH (c:Chat {id: $locked_chat})
  SET c.lock = $now
  RETURN count(c) AS chats
}
CALL (chats) {
  UNWIND $locked_entities AS id
  MATCH (e:Entity {id: id})
  SET e.lock = $now
  RETURN count(e) AS entities
}
RETURN due_at, chats, entities
