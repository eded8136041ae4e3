// The memories `m` that are deleted with a person (M13): those that they stated, and those that they own. With
// `$others_words` also memories that are about them or mention them, but no other person, by a name that somebody else
// vouched for (`$meant_by`). `$ids` are the ids of the person and of those who were merged into them.
// params: $ids, $others_words, $meant_by
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})<-[:STATED_BY]-(said:Memory)
  RETURN said AS m
UNION
  UNWIND $ids AS id
  MATCH (owned:Memory) USING INDEX SEEK owned:Memory(scope, event_time, id)
  WHERE owned.scope = id AND owned.event_time IS NOT NULL AND owned.id IS NOT NULL
  RETURN owned AS m
UNION
  UNWIND CASE WHEN $others_words THEN $ids ELSE [] END AS id
  MATCH (:Entity|Merged {id: id})<-[link:ABOUT|MENTIONS]-(told:Memory)
  WHERE any(text IN coalesce(link.texts, []) + [coalesce(link.name, '')] WHERE text IN $meant_by)
    AND NOT EXISTS { (told)-[:ABOUT|MENTIONS]->(other:Person) WHERE NOT other.id IN $ids }
  RETURN told AS m
}
