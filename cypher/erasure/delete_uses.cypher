// Deletes some of what was noted of what a person's assistant was told.
// params: $erasure_id, $worker, $ids, $limit
// returns: deleted
// mode: write

// include: held_erasure
CALL () {
  MATCH (u:Use) WHERE u.person_id IN $ids
  WITH u LIMIT $limit
  DETACH DELETE u
  RETURN count(*) AS deleted
}
RETURN deleted
