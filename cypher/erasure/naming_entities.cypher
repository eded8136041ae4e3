// Whom and what others know that may be called by a person's full name, as their landlord is: its names, and the words of
// its links. People with an account, a username or a chat have names of their own. In the order of ids from a place on.
// params: $erasure_id, $worker, $ids, $words, $after, $limit
// returns: id, key, texts, links
// mode: read

// include: held_erasure
MATCH (e:Entity|Merged)
WHERE e.id > $after AND NOT e.id IN $ids AND e.user_id IS NULL AND size(coalesce(e.usernames, [])) = 0
  AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
WITH e, [key IN ['canonical_name', 'aliases', 'given_names'] WHERE e[key] IS NOT NULL | [key, e[key]]] AS texts,
     toLower(reduce(all = e.canonical_name, name IN e.aliases + coalesce(e.given_names, []) | all + ' ' + name)) AS called
WHERE any(word IN $words WHERE called CONTAINS word)
WITH e, texts ORDER BY e.id LIMIT $limit
RETURN e.id AS id, e.key AS key, texts,
       COLLECT {
         MATCH (e)-[link:ABOUT|MENTIONS|RELATED_TO|MAY_BE|MERGED_INTO]-()
         WITH link, [key IN ['name', 'texts', 'predicate', 'reason', 'added']
                     WHERE link[key] IS NOT NULL | [key, link[key]]] AS said
         WHERE size(said) > 0
         RETURN [elementId(link), said]
       } AS links
