// The viewer's acts of forgetting whose ids begin with a prefix.
// params: $prefix, $limit, $viewer
// returns: id
// mode: read
MATCH (f:Forgetting) WHERE f.id STARTS WITH $prefix AND f.person_id = $viewer
RETURN f.id AS id LIMIT $limit
