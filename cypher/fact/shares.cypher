// The groups with which the viewer shared a memory of theirs, the latest first, with the copy there. `title` is null
// if the viewer no longer takes part.
// params: $id, $no_end
// returns: chat_id, title, memory_id, since
// mode: read

// include: my_chats
MATCH (m:Memory {id: $id, owner_id: $viewer})<-[shared:DERIVED_FROM {shared: true}]-(copy:Memory)
WHERE copy.retired_at = $no_end AND copy.expires_at > $now
MATCH (c:Chat {id: copy.chat_id})
RETURN c.id AS chat_id, CASE WHEN c.id IN my_chats THEN c.title END AS title, copy.id AS memory_id, shared.created_at AS since
ORDER BY since DESC, chat_id LIMIT 100
