// The entities that go by one of these names: `$query` asks for their tokens.
// params: $query
// returns: id, type, names
// mode: read
CALL db.index.fulltext.queryNodes('entity_fulltext', $query) YIELD node
RETURN node.id AS id, node.type AS type, node.names AS names
ORDER BY size(node.key), node.key
