// Acts of forgetting of the viewer whose ids begin like this.
// params: $prefix, $limit, $viewer
// returns: id
// mode: read
MATCH (f:Forgetting) WHERE f.id STARTS WITH $prefix AND f.person_id = $viewer
RETURN f.id AS id LIMIT $limit
