// Lets what was purged under these hashes be imported again.
// params: $keys
// returns: released
// mode: write
UNWIND $keys AS key
MATCH (p:Purged {id: key})
DELETE p
RETURN count(*) AS released
