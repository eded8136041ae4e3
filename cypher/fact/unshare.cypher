// Takes back what the viewer shared of a memory with a group, or with all (`$chat` is null), believed still or not.
// params: $id, $chat, $no_end
// returns: allowed, taken_back
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: as_it_was
// include: visible
WITH m, m.owner_id = $viewer AS allowed
WITH allowed, CASE WHEN allowed THEN [m] ELSE [] END AS originals
// include: taken_back(chat=$chat)
RETURN allowed, size(taken_back) AS taken_back
