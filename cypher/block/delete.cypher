// Deletes a block and frees its key, so that its name can be used again. The caller holds the lock.
// params: $key, $now
// returns: -
// mode: write
MATCH (b:Block {key: $key})
SET b.deleted_at = $now
REMOVE b.key
