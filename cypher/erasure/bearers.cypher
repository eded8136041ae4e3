// The name tokens of entities, people and things, that match one of `$queries` and are not the person with `$ids`.
// params: $ids, $queries
// returns: tokens
// mode: read
UNWIND $queries AS query
CALL db.index.fulltext.queryNodes('entity_fulltext', query) YIELD node WHERE NOT node.id IN $ids
UNWIND node.names + [name IN [node.called] WHERE name IS NOT NULL] AS token
RETURN collect(DISTINCT token) AS tokens
