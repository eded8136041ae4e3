// Merged entities that still are entities, lack an id or a key, became none or several, or got links after the merge;
// and entities with links taken over from an entity that is not merged.
// params: -
// returns: found, examples
// mode: read
CALL () {
  MATCH (gone:Merged)
  WHERE gone:Entity OR gone.id IS NULL OR gone.key IS NULL OR COUNT { (gone)-[:MERGED_INTO]->(:Entity|Merged) } <> 1
     OR EXISTS { MATCH (gone)-[record:MERGED_INTO]->(), (gone)<-[late:MENTIONS|ABOUT|STATED_BY]-()
                 WHERE late.created_at > record.created_at }
  RETURN gone.id AS id
UNION
  MATCH (e:Entity)-[:MERGED_INTO]->()
  RETURN e.id AS id
UNION
  MATCH ()-[moved:MENTIONS|ABOUT|STATED_BY|PARTICIPATES_IN|INVITED_TO|RELATED_TO]->(kept)
  WHERE moved.merged_from IS NOT NULL AND NOT EXISTS { (:Merged {id: moved.merged_from[-1]})-[:MERGED_INTO]->() }
  RETURN kept.id AS id
}
RETURN count(DISTINCT id) AS found, collect(DISTINCT id)[..5] AS examples
