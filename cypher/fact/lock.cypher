// Takes the locks for writing a fact, always in the same order: on the scope and on whom it is about. Who comes second
// waits here, and looks at the clock and at what is believed only then.
// params: $locked_chat, $locked_entities, $now
// returns: chats, entities
// mode: write
CALL () {
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
RETURN chats, entities
