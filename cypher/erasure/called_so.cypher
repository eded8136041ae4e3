// The entities that are known from talk alone, by the names of a person who was erased and by nothing else than what the
// plan of their erasure concerns.
// params: $erasure_id, $tokens
// returns: id, key
// mode: read
MATCH (erasure:UndecidedErasure {id: $erasure_id})-[:CONCERNS]->(:Memory)-[:ABOUT|MENTIONS]->(e:Entity)
WITH DISTINCT erasure, e
WHERE e.user_id IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0
  AND all(name IN e.names WHERE name IN $tokens)
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
  AND NOT EXISTS { MATCH (e)<-[:ABOUT|MENTIONS]-(m:Memory) WHERE NOT EXISTS { (erasure)-[:CONCERNS]->(m) } }
RETURN e.id AS id, e.key AS key
