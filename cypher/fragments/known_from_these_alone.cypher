// The entities `e` that nothing but the memories `gone` mentions, is about or relates to another (`neighbours`). They
// have no account, no explicit names and no username, stated nothing, and take part in no chat.
// expects: gone, neighbours
// params: $ids
UNWIND neighbours + COLLECT { UNWIND gone AS m MATCH (m)-[:ABOUT|MENTIONS]->(named:Entity) RETURN named } AS e
WITH DISTINCT gone, e
WHERE e.user_id IS NULL AND e.given_names IS NULL AND coalesce(size(e.usernames), 0) = 0 AND NOT e.id IN $ids
  AND NOT EXISTS { MATCH (e)<-[:ABOUT|MENTIONS]-(other:Memory) WHERE NOT other IN gone }
  AND NOT EXISTS { (e)<-[:STATED_BY|OF]-() } AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
  AND NOT EXISTS { MATCH (e)-[said:RELATED_TO]-() WHERE any(id IN said.evidence WHERE NOT id IN [m IN gone | m.id]) }
