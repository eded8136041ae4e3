// Creates a chat with its members, or returns the one with this id; with `$once` also the oldest private chat with this
// title in which its one person takes part. A private chat's memories are owned by its one person, a group's by the
// chat: `scope` says which, and never changes. A member with an account who is added by somebody else, without the
// right to do so (`$trusted`), is invited, and takes part once they accept (P6). For a member without one, `added_by`
// says who added them.
// params: $id, $once, $kind, $title, $extraction, $members, $viewer, $trusted, $now
// returns: chat, invited, silent, missing
// mode: write
MERGE (l:Lock {name: 'people'})
SET l.at = $now
WITH l
CALL () {
  UNWIND $members AS member
  OPTIONAL MATCH (p:Person {id: member.person_id})
  RETURN collect(CASE WHEN p IS NULL THEN member.person_id END) AS missing
}
OPTIONAL CALL (missing) {
  WITH * WHERE size(missing) = 0
  WITH CASE WHEN $once THEN COLLECT {
    MATCH (:Person {id: $members[0].person_id})-[part:PARTICIPATES_IN]->(mine:Chat {kind: 'private', title: $title})
    WHERE part.until > $now
    RETURN mine.id ORDER BY mine.created_at LIMIT 1
  } ELSE [] END AS there
  MERGE (c:Chat {id: coalesce(there[0], $id)})
  ON CREATE SET
    c.kind = $kind, c.title = $title, c.extraction = $extraction, c.space_id = '', c.created_at = $now, c.fresh = true,
    c.owner_id = CASE $kind WHEN 'private' THEN $members[0].person_id ELSE '' END,
    c.scope = CASE $kind WHEN 'private' THEN $members[0].person_id ELSE $id END
  FOREACH (member IN CASE WHEN c.fresh THEN $members ELSE [] END |
    MERGE (p:Person {id: member.person_id})
    FOREACH (new IN CASE WHEN $trusted OR p.id = $viewer OR p.user_id IS NULL THEN [p] ELSE [] END |
      CREATE (new)-[:PARTICIPATES_IN {
        id: member.id, created_at: $now, since: member.since, until: member.until,
        added_by: CASE WHEN NOT $trusted AND new.id <> $viewer THEN $viewer END
      }]->(c)
    )
    FOREACH (guest IN CASE WHEN $trusted OR p.id = $viewer OR p.user_id IS NULL THEN [] ELSE [p] END |
      CREATE (guest)-[:INVITED_TO {id: member.id, created_at: $now, until: member.until, invited_by: $viewer}]->(c)
    )
  )
  WITH c, coalesce(c.fresh, false) AS fresh
  REMOVE c.fresh
  WITH c, fresh
  CALL (c, fresh) {
    MATCH (p:Person)-[:PARTICIPATES_IN]->(c) WHERE fresh AND p.user_id IS NULL
    WITH DISTINCT p WHERE COUNT { (p)-[:PARTICIPATES_IN]->() } = 1
    // include: confidences_kept
  }
  RETURN c, CASE WHEN fresh THEN COLLECT { MATCH (guest)-[:INVITED_TO]->(c) RETURN guest.id } ELSE [] END AS invited,
         NOT EXISTS { (:Session)-[:IN_CHAT]->(c) } AS silent
}
RETURN c {.*} AS chat, invited, silent, missing
