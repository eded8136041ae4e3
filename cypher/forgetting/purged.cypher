// Which of the hashes are of what was purged.
// params: $keys
// returns: key
// mode: read
UNWIND $keys AS key
MATCH (p:Purged {id: key})
RETURN p.id AS key
