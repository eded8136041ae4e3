// Takes a block out of use, under its name there may be another. The lock is held.
// params: $key, $now
// returns: -
// mode: write
MATCH (b:Block {key: $key})
SET b.deleted_at = $now
REMOVE b.key
