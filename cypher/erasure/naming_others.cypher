// What else may name a person, such as titles of chats, blocks and what others say of themselves: its texts, where one has
// any of the words in it; of chats in which the person took part (`near`) also any of `$near_words`. What goes with the
// person is not among it. In the order of ids from a place on.
// params: $ids, $chats, $own_chats, $words, $near_words, $after, $limit
// returns: id, kind, of, near, texts
// mode: read
MATCH (n:Chat|UserState|Session|Block|Todo|Version|SessionSummary|RollingSummary|SummarySpine)
WHERE n.id > $after AND NOT n:Memory AND NOT coalesce(n.chat_id, n.id) IN $own_chats
  AND NOT coalesce(n.person_id, '') IN $ids AND NOT coalesce(n.scope, '') IN $ids
OPTIONAL MATCH (m:Memory)-[:HAS_VERSION]->(n)
WITH n, m, coalesce(m.learned_in, n.chat_id, n.id) IN $chats AS near,
     [key IN keys(n) WHERE n[key] IS :: STRING | [key, n[key]]] AS texts
WHERE any(text IN texts WHERE any(word IN CASE WHEN near THEN $words + $near_words ELSE $words END
                                  WHERE toLower(text[1]) CONTAINS word))
WITH n, m, near, texts ORDER BY n.id LIMIT $limit
RETURN n.id AS id, [label IN labels(n) WHERE NOT label IN ['Pending', 'Failed']][0] AS kind, m.id AS of, near, texts ORDER BY id
