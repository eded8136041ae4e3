// The entities that are known from talk alone, by no other names than those of a person who was erased, and named by what
// the plan of their erasure concerns.
// params: $erasure_id, $tokens
// returns: id, key
// mode: read
MATCH (:Erasure {id: $erasure_id})-[:CONCERNS]->(:Memory)-[:ABOUT|MENTIONS]->(e:Entity)
WITH DISTINCT e
WHERE e.user_id IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0
  AND all(name IN e.names WHERE name IN $tokens)
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
RETURN e.id AS id, e.key AS key
