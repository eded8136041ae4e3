// Who knows whom: what people are to each other, and the groups that they share
MATCH (one:Person)
WHERE EXISTS { (one)-[:RELATED_TO]-(:Person) } OR EXISTS { (one)-[:PARTICIPATES_IN]->(:Chat {kind: 'group'}) }
WITH one ORDER BY one.canonical_name LIMIT 100
OPTIONAL MATCH related = (one)-[r:RELATED_TO]->(:Person) WHERE r.valid_until > datetime()
OPTIONAL MATCH shared = (one)-[part:PARTICIPATES_IN]->(:Chat {kind: 'group'}) WHERE part.until > datetime()
RETURN one, related, shared
