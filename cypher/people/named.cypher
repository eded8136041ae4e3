// The people who go by a name, alias or @username, by its token; and whether somebody else than they vouches for it (P6).
// params: $token
// returns: person, vouched
// mode: read
CALL db.index.fulltext.queryNodes('entity_fulltext', 'names:' + $token) YIELD node WHERE node:Person
CALL (node) {
  MATCH (one)-[:MERGED_INTO]->*(p:Person) WHERE p = node
  WITH
       // include: vouched_tokens
       AS vouched
  RETURN true IN collect($token IN vouched) AS is_vouched
}
RETURN node {.*} AS person, is_vouched AS vouched ORDER BY size(node.key), node.key
