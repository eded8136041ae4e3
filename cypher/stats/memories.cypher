// How many memories of each type the viewer may see, each judged where it belongs, and how far enrichment is with
// those: waiting, waiting again after a failure, put aside. `scope` is the viewer's id, or that of their chat, whose they are;
// empty for what is somebody else's. An orphan is about nothing and names nothing, although its names were looked for.
// params: -
// returns: type, scope, memories, orphans, size, pending, trying_again, failed, secrets_removed
// mode: read

// include: my_chats
// include: own_memories
// include: viewpoint_of_memory
// include: visible
RETURN m.type AS type, CASE WHEN m.scope IN [$viewer] + my_chats THEN m.scope ELSE '' END AS scope, count(m) AS memories,
       count(CASE WHEN NOT m:Pending AND NOT EXISTS { (m)-[:ABOUT|MENTIONS]->(:Entity) } THEN 1 END) AS orphans,
       toInteger(sum(
         // include: reckoned_size
       )) AS size,
       count(CASE WHEN m:Pending THEN 1 END) AS pending,
       count(CASE WHEN m:Pending AND m.failure IS NOT NULL THEN 1 END) AS trying_again,
       count(CASE WHEN m:Failed THEN 1 END) AS failed,
       sum(coalesce(m.secrets_removed, 0)) AS secrets_removed
ORDER BY type, scope
