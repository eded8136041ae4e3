// Ends a person's part in a group at a moment: the last stretch that begins before it and lasts now or later. What was
// said while they took part stays theirs to find in private (P2), the group's memories do not. Who ends it by themselves
// may come back by themselves (`left`, P6).
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
