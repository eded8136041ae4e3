// Keeps of the entities `e` those that are known from talk alone, in up to `$most` links: of whom nobody made an account, a
// name, a member of a chat or, by merging, one of several. Gives what names them or is about them (`links`, each with its
// memory), and the `scopes` of that in their order.
// expects: e
// params: $most
WITH * WHERE e.user_id IS NULL AND e.created_by IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN|INVITED_TO]->() }
  // Not `IS NOT NULL`: for that the planner may read the index of all merges.
  AND NOT EXISTS { MATCH (e)<-[record:MERGED_INTO]-() WHERE record.id <> '' }
CALL (e) {
  MATCH (e)<-[link:MENTIONS|ABOUT]-(m:Memory)
  WITH link, m LIMIT $most + 1
  RETURN collect(DISTINCT m.scope) AS found, collect({link: link, memory: m}) AS links
}
WITH *, COLLECT { UNWIND found AS scope RETURN scope ORDER BY scope } AS scopes WHERE size(links) <= $most
