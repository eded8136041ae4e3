// Keeps the hashes by which an import knows again what was purged, and whose it was: no words.
// params: $keys, $viewer, $now
// returns: -
// mode: write
UNWIND $keys AS key
MERGE (p:Purged {id: key})
ON CREATE SET p.person_id = $viewer, p.purged_at = $now
