// Ends a person's part in a group at a moment; what was said while they took part stays theirs to find in
// private (P2), the group's memories do not.
// params: $chat, $person, $until, $now, $no_end
// returns: kind, membership
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (p:Person {id: $person})-[part:PARTICIPATES_IN {until: $no_end}]->(c)
WHERE part.since <= $until AND c.kind = 'group'
SET part.until = $until
RETURN c.kind AS kind, part {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership
