// Memories of others that are about the viewer or name them, as far as the viewer may see them, in the order of their
// ids after a position. Chats in which the viewer does not take part are not named.
// params: $ids, $after, $limit
// returns: memory
// mode: read

// include: my_chats
UNWIND $ids AS id
MATCH (:Entity|Merged {id: id})<-[:ABOUT|MENTIONS]-(m:Memory)
WITH DISTINCT m, my_chats, my_groups
WHERE m.id > $after AND NOT m.speaker_id IN $ids AND NOT m.owner_id IN $ids
WITH m, my_chats, my_groups ORDER BY m.id
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
WITH m, my_chats ORDER BY m.id LIMIT $limit
// include: exported(named=m.learned_in IN my_chats)
