// The viewer's todos whose ids begin like this, as far as they are shown.
// params: $prefix, $limit
// returns: id
// mode: read

// include: my_chats
MATCH (t:Todo) WHERE t.id STARTS WITH $prefix AND t.person_id = $viewer
// include: shown_todo
RETURN t.id AS id LIMIT $limit
