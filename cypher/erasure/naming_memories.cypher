// Memories that may name a person, in the order of their ids from a place on: those that are linked to them, and those in
// which the words are that `$queries` ask the full-text indexes for. With all their texts, those of their earlier wordings
// and of what they were taken from, and the names of the other people in them.
// params: $erasure_id, $worker, $ids, $queries, $after, $limit
// returns: id, linked, texts, versions, quoted, learned, others, claim
// mode: read

// include: held_erasure
CALL () {
  UNWIND $ids AS id
  MATCH (:Entity|Merged {id: id})<-[:ABOUT|MENTIONS]-(m:Memory)
  RETURN m
UNION
  UNWIND $queries AS query
  CALL db.index.fulltext.queryNodes('memory_fulltext', query) YIELD node
  RETURN node AS m
UNION
  UNWIND $queries AS query
  CALL db.index.fulltext.queryNodes('archived_fulltext', query) YIELD node
  RETURN node AS m
}
WITH DISTINCT m WHERE m.id > $after
WITH m ORDER BY m.id LIMIT $limit
RETURN m.id AS id, EXISTS { (m)-[:ABOUT|MENTIONS]->(x) WHERE x.id IN $ids } AS linked,
       [key IN keys(m) WHERE NOT key STARTS WITH 'embedding_' | [key, m[key]]] AS texts,
       COLLECT { MATCH (m)-[:HAS_VERSION]->(v:Version) RETURN [v.id, v.content] } AS versions,
       COLLECT { MATCH (m)-[from:DERIVED_FROM]->(turn) WHERE from.words IS NOT NULL RETURN [turn.id, from.words] } AS quoted,
       COLLECT {
         MATCH (m)-[naming:ABOUT|MENTIONS]->(x) WHERE x.id IN $ids
         UNWIND coalesce(naming.texts, []) + [naming.name] AS text
         WITH text WHERE text IS NOT NULL
         RETURN DISTINCT text
       } AS learned,
       COLLECT {
         MATCH (m)-[:ABOUT|MENTIONS|STATED_BY]->(other:Person) WHERE NOT other.id IN $ids
         UNWIND [other.canonical_name, other.called] + other.aliases + other.usernames AS name
         WITH name WHERE name IS NOT NULL
         RETURN DISTINCT name
       } AS others,
       m.claim_key AS claim
