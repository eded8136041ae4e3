// Lets a person take part in a group from a moment on, for good. Who takes part then already stays, and an end that was
// planned is taken back; who was to come later comes then.
// params: $id, $chat, $person, $since, $now, $no_end
// returns: kind, person_known, membership
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (p:Person {id: $person})
CALL (c, p) {
  OPTIONAL MATCH (p)-[part:PARTICIPATES_IN]->(c) WHERE part.until > $since AND c.kind = 'group'
  WITH c, p, part ORDER BY part.since
  RETURN collect(part) AS parts
}
FOREACH (first IN parts[..1] |
  SET first.since = CASE WHEN first.since > $since THEN $since ELSE first.since END,
      first.until = CASE size(parts) WHEN 1 THEN $no_end ELSE first.until END
)
FOREACH (new IN CASE WHEN c.kind = 'group' AND size(parts) = 0 AND p IS NOT NULL THEN [p] ELSE [] END |
  CREATE (new)-[:PARTICIPATES_IN {id: $id, created_at: $now, since: $since, until: $no_end}]->(c)
)
WITH c, p
CALL (p) {
  WITH p WHERE p.user_id IS NULL AND COUNT { (p)-[:PARTICIPATES_IN]->() } = 1
  // include: confidences_kept
}
WITH c, p
OPTIONAL MATCH (p)-[now:PARTICIPATES_IN]->(c) WHERE now.since <= $since AND now.until > $since
RETURN c.kind AS kind, p IS NOT NULL AS person_known,
       now {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership
