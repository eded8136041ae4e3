// What the viewer's assistant was told, the latest first, from a place in the list on. Within a space what they asked in its chats and
// in those of none, or within that space.
// params: $until, $until_id, $limit
// returns: use
// mode: read

// include: my_chats
MATCH (u:Use) USING INDEX SEEK u:Use(person_id, at, id)
WHERE u.person_id = $viewer AND u.at <= $until AND u.id IS NOT NULL AND CASE u.at WHEN $until THEN u.id < $until_id ELSE true END
  AND ($space IS NULL OR u.chat_id IN my_chats OR u.chat_id = '' AND u.space_id IN ['', $space])
WITH u, true AS own ORDER BY u.person_id DESC, u.at DESC, u.id DESC LIMIT $limit
// include: as_use
