// The chats that were put into another space, and of which not everything was moved yet.
// params: $limit
// returns: chat
// mode: read
MATCH (c:Chat) WHERE c.moving_from IS NOT NULL
RETURN c.id AS chat ORDER BY chat LIMIT $limit
