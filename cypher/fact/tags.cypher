// The tags of the memory, locked for a change of them by who may change it.
// params: $id, $no_end
// returns: allowed, tags
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
// include: may_change
// include: lock_live
RETURN allowed, again.tags AS tags
