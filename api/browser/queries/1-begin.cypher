// To begin with: the latest 20 facts, whom they are about, and the turns they were found in
MATCH (fact:Memory)-[:ABOUT]->(:Entity)
WHERE NOT fact:Episodic AND NOT fact:Summary AND fact.retired_at > datetime() AND fact.status = 'active'
WITH DISTINCT fact ORDER BY fact.created_at DESC, fact.id LIMIT 20
MATCH about = (fact)-[:ABOUT]->(:Entity)
OPTIONAL MATCH said = (fact)-[:DERIVED_FROM]->(:Episodic)-[:STATED_BY]->()
RETURN about, said
