// Ends a person's membership of a group at `$until`: the last that begins by then and has not ended. In private they
// still find what was said while they took part (P2), but no longer the group's memories. A person who ends it
// themselves may come back without an invitation (`left`, P6).
// params: $chat, $person, $until, $now
// returns: kind, membership
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (p:Person {id: $person})-[part:PARTICIPATES_IN]->(c)
WHERE part.since <= $until AND part.until > $now AND c.kind = 'group'
WITH c, p, part ORDER BY part.since DESC LIMIT 1
SET part.until = $until, part.left = CASE WHEN $person = $viewer THEN true END
RETURN c.kind AS kind, part {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership
