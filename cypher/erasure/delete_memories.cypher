// Deletes some of the memories that go with a person, with what depends on them.
// params: $erasure_id, $worker, $limit, $listed, $now, $no_end
// returns: deleted
// mode: write

// include: held_erasure
CALL () {
  // include: erased_memories
  RETURN m LIMIT $limit
}
WITH erasure, collect(m) AS some
// include: few_used
WITH erasure, chosen AS gone
// include: memories_deleted
RETURN size(gone) AS deleted
