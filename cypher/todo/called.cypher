// The ids with a prefix of the viewer's todos, as far as the viewer may see these.
// params: $prefix, $limit
// returns: id
// mode: read

// include: my_chats
MATCH (t:Todo) WHERE t.id STARTS WITH $prefix AND t.person_id = $viewer
// include: shown_todo
RETURN t.id AS id LIMIT $limit
