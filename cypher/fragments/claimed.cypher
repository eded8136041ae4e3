// Takes the lock under which facts of the memory `m`'s key are written, for who may change it: that of whom it is about
// first of all, else of its chat, as `fact/lock` does. So two who word different memories alike do it one after the other.
// expects: m, allowed
// params: $now
CALL (m, allowed) {
  WITH m WHERE allowed
  MATCH (m)-[:ABOUT {primary: true}]->(e:Entity)
  SET e.lock = $now
}
CALL (m, allowed) {
  WITH m WHERE allowed AND NOT EXISTS { (m)-[:ABOUT {primary: true}]->() }
  MATCH (c:Chat {id: m.chat_id})
  SET c.lock = $now
}
