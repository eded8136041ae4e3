// A page, by id, of other entities whose names may contain a person's full name, as that of their landlord does, with
// the words of their links. People with an account, a username or a chat have names of their own and are left out.
// params: $ids, $words, $after, $limit
// returns: id, kind, key, texts, links
// mode: read
MATCH (e:Entity|Merged)
WHERE e.id > $after AND NOT e.id IN $ids AND e.user_id IS NULL AND size(coalesce(e.usernames, [])) = 0
  AND NOT EXISTS { (e)-[:PARTICIPATES_IN]->() }
WITH e, toLower(reduce(all = e.canonical_name, name IN e.aliases + coalesce(e.given_names, []) | all + ' ' + name)) AS called
WHERE any(word IN $words WHERE called CONTAINS word)
WITH e ORDER BY e.id LIMIT $limit
RETURN e.id AS id, 'Entity' AS kind,
       // include: words_of_entity
       ORDER BY id
