// The people who go by a name, alias or @username, by its token; and whether somebody else than they vouched for it (P6).
// params: $token
// returns: person, vouched
// mode: read
CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:' + $token) YIELD node WHERE node:Person
RETURN node {.*} AS person,
       EXISTS { MATCH (one)-[:MERGED_INTO]->*(node) WHERE $token IN coalesce(one.vouched, []) } AS vouched
ORDER BY size(node.key), node.key
