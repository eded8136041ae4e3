// What a person is called: the names of their own node and of those that were merged into them or may be them, with
// the name tokens that somebody else vouched for; the words by which memories mean them; and the chats in which they
// ever took part, with the private ones as `own_chats`.
// params: $ids
// returns: named, meant_by, chats, own_chats
// mode: read
MATCH (p:Person {id: $ids[0]})
RETURN COLLECT {
         UNWIND $ids AS id
         MATCH (one:Entity|Merged {id: id})
         RETURN {key: one.key, names: [one.canonical_name] + one.aliases + coalesce(one.given_names, []),
                 usernames: coalesce(one.usernames, []), vouched:
                   // include: vouched_tokens
                 }
       } AS named,
       COLLECT {
         UNWIND $ids AS id
         MATCH (:Entity|Merged {id: id})<-[link:ABOUT|MENTIONS]-(:Memory)
         UNWIND coalesce(link.texts, []) + [link.name] AS text
         WITH text WHERE text <> ''
         RETURN DISTINCT text
       } AS meant_by,
       COLLECT { MATCH (p)-[:PARTICIPATES_IN]->(c:Chat) RETURN DISTINCT c.id } AS chats,
       COLLECT { MATCH (p)-[:PARTICIPATES_IN]->(c:Chat {kind: 'private'}) RETURN DISTINCT c.id } AS own_chats
