// The answers given to the viewer's assistant, the latest first, after a position in the list. Within a space: those in
// its chats and in chats of none, and outside any chat those within that space or none.
// params: $until, $until_id, $limit
// returns: use
// mode: read

// include: my_chats
MATCH (u:Use) USING INDEX SEEK u:Use(person_id, at, id)
WHERE u.person_id = $viewer AND u.at <= $until AND u.id IS NOT NULL AND CASE u.at WHEN $until THEN u.id < $until_id ELSE true END
  AND ($space IS NULL OR u.chat_id IN my_chats OR u.chat_id = '' AND u.space_id IN ['', $space])
WITH u, true AS own ORDER BY u.person_id DESC, u.at DESC, u.id DESC LIMIT $limit
// include: as_use
