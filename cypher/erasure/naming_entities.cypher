// Whom and what others know that may be called by a person's names, as their landlord is: all its texts, and those of its
// links. `related` are those that are something to the person; of them the first name is enough. In the order of ids from a
// place on.
// params: $erasure_id, $worker, $ids, $words, $called, $after, $limit
// returns: id, key, related, texts, links
// mode: read

// include: held_erasure
MATCH (e:Entity|Merged) WHERE e.id > $after AND NOT e.id IN $ids
WITH e, EXISTS { (e)-[:RELATED_TO]-(x) WHERE x.id IN $ids } AS related,
     [key IN keys(e)
      WHERE NOT key IN ['id', 'key', 'names', 'sounds'] AND (e[key] IS :: STRING OR e[key] IS :: LIST<STRING>)
      | [key, e[key]]] AS texts
WITH e, related, texts, toLower(e.key + ' ' + e.canonical_name + ' '
     + reduce(all = '', name IN e.aliases + e.usernames + coalesce(e.given_names, []) | all + ' ' + name)) AS called
WHERE any(word IN $words + CASE WHEN related THEN $called ELSE [] END WHERE called CONTAINS word)
WITH e, related, texts ORDER BY e.id LIMIT $limit
RETURN e.id AS id, e.key AS key, related, texts,
       COLLECT {
         MATCH (e)-[link:ABOUT|MENTIONS|RELATED_TO|MAY_BE|MERGED_INTO]-()
         WITH link, [key IN ['name', 'texts', 'predicate', 'reason', 'added', 'added_usernames']
                     WHERE link[key] IS NOT NULL | [key, link[key]]] AS said
         WHERE size(said) > 0
         RETURN [elementId(link), said]
       } AS links
