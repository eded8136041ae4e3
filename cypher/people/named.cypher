// The people with a name, alias or @username, by its token (`whole`), or with that as their first name, and whether
// somebody else vouched for it (P6).
// params: $token, $limit
// returns: person, vouched, whole
// mode: read
CALL () {
  CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:' + $token) YIELD node WHERE node:Person
  RETURN node, true AS named
UNION
  MATCH (node:Person {called: $token})
  RETURN node, false AS named
}
WITH node, max(named) AS whole
RETURN node {.*} AS person,
       EXISTS { MATCH (one)-[:MERGED_INTO]->*(node) WHERE $token IN coalesce(one.vouched, []) } AS vouched, whole
ORDER BY vouched DESC, whole DESC, size(node.key), node.key LIMIT $limit
