// The tags of the memory, locked for a change of them by who may change it.
// params: $id, $no_end
// returns: allowed, tags
// mode: write

// include: seen_memory
// include: may_change
// include: lock_live
RETURN allowed, again.tags AS tags
