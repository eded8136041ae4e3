// Deletes these hashes, so that what was purged can be imported again.
// params: $keys
// returns: -
// mode: write
UNWIND $keys AS key
MATCH (p:Purged {id: key})
DELETE p
