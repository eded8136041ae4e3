// The tags of a memory, which is locked if the viewer may change it.
// params: $id, $no_end
// returns: allowed, tags
// mode: write

// include: seen_memory
// include: may_change
// include: lock_live
RETURN allowed, again.tags AS tags
