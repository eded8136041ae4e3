// What else may name a person, such as titles of chats, blocks and what others say of themselves: its texts, where one has
// any of the words in it. In the order of ids from a place on.
// params: $erasure_id, $worker, $words, $after, $limit
// returns: id, texts
// mode: read

// include: held_erasure
MATCH (n:Chat|UserState|Session|Block|Todo|Version|SessionSummary|RollingSummary|SummarySpine)
WHERE n.id > $after AND NOT n:Memory
WITH n, [key IN keys(n) WHERE n[key] IS :: STRING | [key, n[key]]] AS texts
WHERE any(text IN texts WHERE any(word IN $words WHERE toLower(text[1]) CONTAINS word))
WITH n, texts ORDER BY n.id LIMIT $limit
RETURN n.id AS id, texts
