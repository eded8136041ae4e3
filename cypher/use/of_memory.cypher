// The answers that held a memory, the latest first, after a position in the list: those to the viewer, and if they own
// the memory also those to others.
// params: $id, $until, $until_id, $limit
// returns: use
// mode: read

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: as_it_was
// include: visible
MATCH (u:Use)-[:USED]->(m)
WITH u, my_chats, u.person_id = $viewer AS own, m.owner_id = $viewer AS mine
WHERE (own OR mine) AND (u.at < $until OR u.at = $until AND u.id < $until_id)
  AND ($space IS NULL OR NOT own OR u.chat_id IN my_chats OR u.chat_id = '' AND u.space_id IN ['', $space])
WITH u, own ORDER BY u.at DESC, u.id DESC LIMIT $limit
// include: as_use
