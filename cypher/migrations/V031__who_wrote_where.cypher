// Whether somebody said something in a chat, and when last (P6).
MATCH (c:Chat)
CALL (c) {
  MATCH (c)<-[:LEARNED_IN]-(m:Episodic) WHERE m.source_role = 'user'
  WITH c, m.speaker_id AS speaker, max(m.created_at) AS wrote_at
  MATCH (:Person {id: speaker})-[part:PARTICIPATES_IN]->(c)
  SET part.wrote_at = wrote_at
} IN TRANSACTIONS OF 10 ROWS;
// What somebody told in private of somebody else who has an account or takes part in a chat is not portable, unless
// somebody said that it is (P1). The words of the full-text index are those of `graph.ids.token` for portable and not.
MATCH (other:Person) WHERE other.user_id IS NOT NULL OR EXISTS { (other)-[:PARTICIPATES_IN]->() }
MATCH (other)<-[:ABOUT]-(m:Memory)
WHERE m.portable AND m.owner_id <> '' AND m.owner_id <> other.id AND NOT 'portable' IN coalesce(m.explicit_labels, [])
  AND NOT EXISTS { (:Chat {id: m.learned_in, kind: 'group'}) }
WITH DISTINCT m
CALL (m) {
  SET m.portable = false, m.inferred_labels = m.inferred_labels + 'portable',
      m.own_portable = CASE WHEN m.own_portable IS NOT NULL THEN false END,
      m.facets = [facet IN m.facets WHERE facet <> 'c0f4015dff4de6cd4d7de434924d9b21'] + '4df3caef07af8909af2cf2997fac95f8'
  WITH m
  MATCH (m)-[entry:ABOUT]->(:Person)
  SET entry.portable = false
} IN TRANSACTIONS OF 1000 ROWS;
