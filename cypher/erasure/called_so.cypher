// The entities in memories of an erasure's plan that are known from talk alone and have no names but those of the
// erased person.
// params: $erasure_id, $tokens
// returns: id, key
// mode: read
MATCH (:Erasure {id: $erasure_id})-[:CONCERNS]->(:Memory)-[:ABOUT|MENTIONS]->(e:Entity)
WITH DISTINCT e
WHERE e.user_id IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0
  AND all(name IN e.names WHERE name IN $tokens)
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
RETURN e.id AS id, e.key AS key
