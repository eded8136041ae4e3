// Keeps the entities `e` that are known from talk alone, by at most `$most` links: without an account, a creator,
// explicit names, usernames, statements, chats, invitations or merges. `links` are the MENTIONS and ABOUT links to
// them, each with its memory; `scopes` are the scopes of these memories, sorted.
// expects: e
// params: $most
WITH * WHERE e.user_id IS NULL AND e.created_by IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN|INVITED_TO]->() }
  // Not `IS NOT NULL`, for which the planner may read the index of all merges.
  AND NOT EXISTS { MATCH (e)<-[record:MERGED_INTO]-() WHERE record.id <> '' }
CALL (e) {
  MATCH (e)<-[link:MENTIONS|ABOUT]-(m:Memory)
  WITH link, m LIMIT $most + 1
  RETURN collect(DISTINCT m.scope) AS found, collect({link: link, memory: m}) AS links
}
WITH *, COLLECT { UNWIND found AS scope RETURN scope ORDER BY scope } AS scopes WHERE size(links) <= $most
