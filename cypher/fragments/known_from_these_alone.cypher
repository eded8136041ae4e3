// The entities `e` that nothing but the memories `gone` names: nobody has an account of theirs, made them or takes part in
// a chat as them.
// expects: gone
// params: $ids
UNWIND gone AS m
MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity)
WHERE e.user_id IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0 AND NOT e.id IN $ids
  AND NOT EXISTS { MATCH (e)<-[:ABOUT|MENTIONS]-(other:Memory) WHERE NOT other IN gone }
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
WITH DISTINCT e
