// Lets a person take part in a group from a moment on; who takes part already stays as they are.
// params: $id, $chat, $person, $since, $now, $no_end
// returns: kind, person_known, membership
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (p:Person {id: $person})
CALL (c, p) {
  WITH * WHERE c.kind = 'group' AND p IS NOT NULL
    AND NOT EXISTS { (p)-[part:PARTICIPATES_IN]->(c) WHERE part.until > $since }
  CREATE (p)-[:PARTICIPATES_IN {id: $id, created_at: $now, since: $since, until: $no_end}]->(c)
}
OPTIONAL MATCH (p)-[now:PARTICIPATES_IN {until: $no_end}]->(c)
RETURN c.kind AS kind, p IS NOT NULL AS person_known,
       now {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership
