// Stores the hashes by which an import recognises what was purged, and whose it was. They reveal no words.
// params: $keys, $viewer, $now
// returns: -
// mode: write
UNWIND $keys AS key
MERGE (p:Purged {id: key})
ON CREATE SET p.person_id = $viewer, p.purged_at = $now
