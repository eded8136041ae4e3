// One person's card, what is believed of them now: give a part of the name in the next line
WITH 'Priya' AS name
MATCH (p:Person) WHERE any(one IN [p.canonical_name] + p.aliases WHERE one CONTAINS name)
WITH p ORDER BY p.canonical_name LIMIT 1
MATCH card = (p)<-[:ABOUT]-(m:Memory)
WHERE NOT m:Episodic AND m.retired_at > datetime() AND m.valid_until > datetime() AND m.expires_at > datetime()
  AND m.status = 'active'
RETURN card, m.content AS fact
ORDER BY m.pinned DESC, CASE WHEN m.importance > m.grown_importance THEN m.importance ELSE m.grown_importance END DESC,
         m.event_time DESC, m.id
LIMIT 30
