// A page, by id, of the places whose texts an erasure left to be decided, with their current texts.
// params: $erasure_id, $ids, $after, $limit
// returns: id, kind, near, linked, learned, key, links, texts, versions, quoted, others, claim, latest_of_line
// mode: read
MATCH (:Erasure {id: $erasure_id})-[place:CONCERNS]->(n) WHERE n.id > $after
WITH place, n ORDER BY n.id LIMIT $limit
CALL (n) {
  WITH n AS m WHERE n:Memory
  RETURN 'Memory' AS kind, null AS key, null AS links,
         // include: words_of_memory
UNION ALL
  WITH n AS e WHERE n:Entity OR n:Merged
  WITH e,
       // include: words_of_entity
  RETURN 'Entity' AS kind, key, links, texts, [] AS versions, [] AS quoted, [] AS others, null AS claim
UNION ALL
  WITH n WHERE NOT n:Memory AND NOT n:Entity AND NOT n:Merged
  RETURN [label IN labels(n) WHERE NOT label IN ['Pending', 'Failed']][0] AS kind, null AS key, null AS links,
         [key IN keys(n) WHERE n[key] IS :: STRING | [key, n[key]]] AS texts, [] AS versions, [] AS quoted, [] AS others, null AS claim
}
RETURN n.id AS id, kind, place.near AS near, place.linked AS linked, place.learned AS learned, key, links, texts, versions, quoted,
       others, claim,
       // include: latest_of_line
ORDER BY id
