// A page, by id, of other nodes that may name a person, such as chats, blocks and states of others: those with a text
// that contains one of `$words` or, in chats where the person took part (`near`), one of `$near_words`. What is
// deleted with the person is left out.
// params: $ids, $chats, $own_chats, $words, $near_words, $after, $limit
// returns: id, kind, of, near, texts, latest_of_line
// mode: read
MATCH (n:Chat|Space|UserState|Session|Block|Todo|Version|SessionSummary|RollingSummary|SummarySpine)
WHERE n.id > $after AND NOT n:Memory AND NOT coalesce(n.chat_id, n.id) IN $own_chats
  AND NOT coalesce(n.person_id, '') IN $ids AND NOT coalesce(n.scope, '') IN $ids
OPTIONAL MATCH (m:Memory)-[:HAS_VERSION]->(n)
WITH n, m, coalesce(m.learned_in, n.chat_id, n.id) IN $chats AS near,
     [key IN keys(n) WHERE n[key] IS :: STRING | [key, n[key]]] AS texts
WHERE any(text IN texts WHERE any(word IN CASE WHEN near THEN $words + $near_words ELSE $words END
                                  WHERE toLower(text[1]) CONTAINS word))
WITH n, m, near, texts ORDER BY n.id LIMIT $limit
RETURN n.id AS id, [label IN labels(n) WHERE NOT label IN ['Pending', 'Failed']][0] AS kind, m.id AS of, near, texts,
       // include: latest_of_line
ORDER BY id
