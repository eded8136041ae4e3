// Adds a person to a group from `$since` on without an end, or invites them. A membership at that time stays, and its
// planned end is removed; a later one begins then. A person with an account who is added by somebody else, without the
// right to do so (`$trusted`), is invited, and takes part once they accept (P6). For a person without one such an
// addition is recorded (`added_by`): it becomes an invitation once they have an account.
// params: $id, $chat, $person, $trusted, $since, $now, $no_end
// returns: kind, person_known, membership, invitation
// mode: write
MATCH (c:Chat {id: $chat})
// include: may_act
SET c.lock = $now
WITH c
OPTIONAL MATCH (p:Person {id: $person})
SET p.lock = $now  // so that nobody gives them an account meanwhile
WITH c, p, $trusted OR coalesce(p.id = $viewer, false) AS trusted
CALL (c, p) {
  OPTIONAL MATCH (p)-[part:PARTICIPATES_IN]->(c) WHERE part.until > $since AND c.kind = 'group'
  WITH part ORDER BY part.since
  RETURN collect(part) AS parts
}
WITH *, c.kind = 'group' AND p IS NOT NULL AS possible, trusted OR p.user_id IS NULL AS at_once
FOREACH (first IN CASE WHEN possible AND at_once THEN parts[..1] ELSE [] END |
  SET first.added_by = CASE WHEN trusted THEN null
                            WHEN first.since > $since OR size(parts) = 1 AND first.until < $no_end THEN $viewer
                            ELSE first.added_by END,
      first.since = CASE WHEN first.since > $since THEN $since ELSE first.since END,
      first.until = CASE size(parts) WHEN 1 THEN $no_end ELSE first.until END,
      first.left = null
)
FOREACH (new IN CASE WHEN possible AND at_once AND size(parts) = 0 THEN [p] ELSE [] END |
  CREATE (new)-[:PARTICIPATES_IN {id: $id, created_at: $now, since: $since, until: $no_end,
                                  added_by: CASE WHEN NOT trusted THEN $viewer END}]->(c)
)
FOREACH (guest IN CASE WHEN possible AND NOT at_once AND none(part IN parts WHERE part.since <= $now) THEN [p]
                      ELSE [] END |
  MERGE (guest)-[asked:INVITED_TO]->(c)
  ON CREATE SET asked.id = $id, asked.created_at = $now, asked.invited_by = $viewer
  SET asked.until = $no_end
)
WITH c, p, possible AND at_once AS at_once
CALL (c, p, at_once) {
  MATCH (p)-[asked:INVITED_TO]->(c) WHERE at_once
  DELETE asked
}
CALL (p) {
  WITH p WHERE p.user_id IS NULL AND COUNT { (p)-[:PARTICIPATES_IN]->() } = 1
  // include: confidences_kept
}
WITH c, p
OPTIONAL MATCH (p)-[now:PARTICIPATES_IN]->(c) WHERE now.since <= $since AND now.until > $since
OPTIONAL MATCH (p)-[asked:INVITED_TO]->(c)
RETURN c.kind AS kind, p IS NOT NULL AS person_known,
       now {.id, .since, .until, person_id: p.id, chat_id: c.id} AS membership,
       asked {.id, .created_at, .invited_by, person_id: p.id, chat_id: c.id, title: c.title} AS invitation
