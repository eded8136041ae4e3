// A page, by id, of memories that may name a person: those linked to them, with the words of the links (`learned`),
// and those that match one of `$queries` in the full-text indexes. `near` is true for memories of chats in which they
// took part.
// params: $ids, $chats, $queries, $after, $limit
// returns: id, kind, linked, near, learned, texts, versions, quoted, others, claim
// mode: read
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
RETURN m.id AS id, 'Memory' AS kind, EXISTS { (m)-[:ABOUT|MENTIONS]->(x) WHERE x.id IN $ids } AS linked,
       m.learned_in IN $chats OR m.chat_id IN $chats AS near,
       COLLECT {
         MATCH (m)-[naming:ABOUT|MENTIONS]->(x) WHERE x.id IN $ids
         UNWIND coalesce(naming.texts, []) + [naming.name] AS text
         WITH text WHERE text IS NOT NULL
         RETURN DISTINCT text
       } AS learned,
       // include: words_of_memory
       ORDER BY id
