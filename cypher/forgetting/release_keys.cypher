// Lets what was purged under these hashes be imported again.
// params: $keys
// returns: -
// mode: write
UNWIND $keys AS key
MATCH (p:Purged {id: key})
DELETE p
