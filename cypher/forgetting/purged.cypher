// Those of the hashes that belong to purged memories.
// params: $keys
// returns: key
// mode: read
UNWIND $keys AS key
MATCH (p:Purged {id: key})
RETURN p.id AS key
