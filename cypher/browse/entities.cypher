// A page of the ids of the entities that the viewer may know of, sorted by key; a null `$type` means all.
// params: $type, $after, $limit
// returns: id
// mode: read

// include: my_chats
MATCH (e:Entity) WHERE e.key > $after AND ($type IS NULL OR e.type = $type)
WITH * ORDER BY e.key
// include: known_of
RETURN e.id AS id ORDER BY e.key LIMIT $limit
