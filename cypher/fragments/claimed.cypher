// Takes the lock for writing facts of the key of the memory `m`, if the viewer may change it: on its primary subject,
// else on its chat, as `fact/lock` does. So two writers who give different memories the same words run one after the
// other.
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
