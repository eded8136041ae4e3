// A page of the groups to which the viewer is invited, the latest invitation first. Of a group only its id and title
// are returned, since the viewer takes no part in it.
// params: $viewer, $until, $until_id, $limit, $now
// returns: invitation
// mode: read
MATCH (p:Person {id: $viewer})-[asked:INVITED_TO]->(c:Chat)
WHERE asked.until > $now
  AND (asked.created_at < $until OR asked.created_at = $until AND asked.id < $until_id)
WITH p, asked, c ORDER BY asked.created_at DESC, asked.id DESC LIMIT $limit
RETURN asked {.id, .created_at, .invited_by, person_id: p.id, chat_id: c.id, title: c.title} AS invitation
       ORDER BY asked.created_at DESC, asked.id DESC
