// Retires the copies of a memory of the viewer in a group, or in all groups (`$chat` is null). The memory itself may
// be retired.
// params: $id, $chat, $no_end
// returns: allowed, taken_back
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: as_it_was
WITH *, viewpoint {.*, status: m.status} AS placed
WITH my_chats, my_groups, m, placed AS viewpoint
// include: visible
WITH m, m.owner_id = $viewer AS allowed
WITH allowed, CASE WHEN allowed THEN [m] ELSE [] END AS originals
// include: taken_back(chat=$chat, act='')
RETURN allowed, size(taken_back) AS taken_back
