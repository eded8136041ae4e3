// Deletes some of the records of what a person's assistant was told, and removes the person's credentials from some of
// those of others.
// params: $erasure_id, $worker, $ids, $limit
// returns: changed
// mode: write

// include: held_erasure
CALL () {
  MATCH (u:Use) USING INDEX SEEK u:Use(person_id, at, id)
  WHERE u.person_id IN $ids AND u.at IS NOT NULL AND u.id IS NOT NULL
  WITH u LIMIT $limit
  DETACH DELETE u
  RETURN count(*) AS deleted
}
CALL (erasure) {
  UNWIND erasure.credential_ids AS id
  MATCH (u:Use {credential: id})
  WITH u LIMIT $limit
  SET u.credential = ''
  RETURN count(*) AS blanked
}
RETURN deleted + blanked AS changed
