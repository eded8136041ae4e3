// Lets the viewer take part in a group from now on, if they were invited, or left by themselves and want to come back
// (P6). A current membership stays as it is.
// params: $id, $chat, $viewer, $now, $no_end
// returns: membership
// mode: write
MATCH (p:Person {id: $viewer}), (c:Chat {id: $chat, kind: 'group'}) USING INDEX SEEK p:Person(id)
WHERE EXISTS { (p)-[:INVITED_TO|PARTICIPATES_IN]->(c) }
SET c.lock = $now
WITH p, c
OPTIONAL MATCH (p)-[asked:INVITED_TO]->(c) WHERE asked.until > $now
CALL (p, c) {
  OPTIONAL MATCH (p)-[part:PARTICIPATES_IN]->(c)
  WITH part ORDER BY part.until, part.since
  RETURN collect(part) AS parts
}
WITH *, [part IN parts WHERE part.until > $now][0] AS next
WITH *, asked IS NOT NULL OR next IS NULL AND coalesce(parts[-1].left, false) AS may_come
FOREACH (planned IN CASE WHEN may_come AND next.since > $now THEN [next] ELSE [] END | SET planned.since = $now)
FOREACH (new IN CASE WHEN may_come AND next IS NULL THEN [p] ELSE [] END |
  CREATE (new)-[:PARTICIPATES_IN {id: $id, created_at: $now, since: $now, until: coalesce(asked.until, $no_end)}]->(c)
)
FOREACH (accepted IN CASE WHEN asked IS NULL THEN [] ELSE [asked] END | DELETE accepted)
WITH p, c
MATCH (p)-[part:PARTICIPATES_IN]->(c) WHERE part.since <= $now AND part.until > $now
RETURN part {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership LIMIT 1
