// Whose erasure it is, and how it is to be done: the ids of the person, and of who was merged into them or may be them,
// what they are called, and the chats in which they ever took part.
// params: $erasure_id, $worker
// returns: ids, names, usernames, keys, chats, others_words
// mode: read

// include: held_erasure
MATCH (p:Person {id: erasure.person_id})
WITH erasure, p, COLLECT { MATCH (one:Entity|Merged) WHERE one.id IN erasure.ids RETURN one } AS all
RETURN erasure.ids AS ids,
       reduce(names = [], one IN all | names + one.canonical_name + one.aliases + coalesce(one.given_names, [])) AS names,
       reduce(names = [], one IN all | names + one.usernames) AS usernames,
       [one IN all | one.key] AS keys,
       COLLECT { MATCH (p)-[:PARTICIPATES_IN]->(c:Chat) RETURN DISTINCT c.id } AS chats,
       erasure.others_words AS others_words
