// The people who go by a name, alias or @username, by its token.
// params: $token
// returns: person
// mode: read
CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:' + $token) YIELD node WHERE node:Person
RETURN node {.*} AS person ORDER BY size(node.key), node.key
