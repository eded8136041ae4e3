// Counts the memories that the viewer may see by type and scope, each judged from where the viewer sees most of it.
// Also counts those that wait for enrichment, wait again after a failure, or were given up. `scope` is the viewer's id
// or that of one of their chats; empty for memories of others. `orphans` are about no entity and name none, and do not
// wait for enrichment. `size` is an estimate in bytes.
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
