// The spaces that the viewer may use, newest first, after a position in the list: all, or those with one of the ids or
// names, in any case.
// params: $ids, $names, $until, $until_id, $limit
// returns: found
// mode: read

// include: my_chats
UNWIND [$viewer] + my_groups AS scope
MATCH (s:Space {scope: scope})
WHERE s.created_at <= $until AND CASE s.created_at WHEN $until THEN s.id < $until_id ELSE true END
  AND ($ids IS NULL OR s.id IN $ids OR toLower(s.name) IN [name IN $names | toLower(name)])
// include: my_space
WITH s ORDER BY s.created_at DESC, s.id DESC LIMIT $limit
RETURN
  // include: as_space
AS found
ORDER BY s.created_at DESC, s.id DESC
