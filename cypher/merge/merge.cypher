// Merges the entity `$gone` into `$keep`: its relationships move to the other, which gets its names too. Relationships
// that the other has already, and those between the two, stay on the tombstone. What moves says from where
// (`merged_from`). MERGED_INTO stores what the other was before, and which memories are not portable since
// (`confided`). The vector of each index entry is set last, since every change of an entry that has one holds another
// copy in the transaction's memory.
// params: $keep, $gone, $merge_id, $viewer, $by_right, $ended, $now
// returns: id
// mode: write
MATCH (keep:Entity {id: $keep}), (gone:Entity {id: $gone})
CREATE (gone)-[record:MERGED_INTO]->(keep)
SET record = {
  id: $merge_id, created_at: $now, merged_by: $viewer, by_right: $by_right, ended: $ended, labels: labels(gone), kept_labels: labels(keep),
  added: [alias IN [gone.canonical_name] + gone.aliases WHERE NOT alias IN [keep.canonical_name] + keep.aliases],
  added_usernames: [one IN gone.usernames WHERE NOT one IN keep.usernames],
  added_names: [one IN gone.names WHERE NOT one IN keep.names],
  first_seen: keep.first_seen, last_updated: keep.last_updated, sounds: keep.sounds, job: keep.job, due_at: keep.due_at,
  attempts: keep.attempts, failure: keep.failure, failed_at: keep.failed_at
}
SET keep.aliases = keep.aliases + record.added, keep.usernames = keep.usernames + record.added_usernames,
    keep.names = keep.names + record.added_names, keep.last_updated = $now,
    keep.first_seen = CASE WHEN gone.first_seen < keep.first_seen THEN gone.first_seen ELSE keep.first_seen END
// include: queued(node=keep, job='enrich', due_at=$now)
WITH keep, gone, record
CALL (keep, gone) {
  MATCH (keep)<-[mine:ABOUT {primary: false}]-(m:Memory)-[:ABOUT {primary: true}]->(gone)
  SET mine.primary = true, mine.primary_by = $merge_id
}
CALL (keep, gone) {
  MATCH (gone)<-[link]-(other)
  WHERE other <> keep AND type(link) <> 'MERGED_INTO'
    AND NOT EXISTS { MATCH (keep)<-[same:$(type(link))]-(other)
                     WHERE coalesce(same.predicate, '') = coalesce(link.predicate, '') }
  WITH keep, link, other, type(link) AS kind, link {.*, embedding_a: null, embedding_b: null} AS had
  DELETE link
  CREATE (keep)<-[moved:$(kind)]-(other)
  SET moved = had, moved.merged_from = coalesce(had.merged_from, []) + $gone,
      moved.person_id = CASE WHEN had.person_id IS NOT NULL THEN keep.id END
  WITH moved, other WHERE moved.person_id IS NOT NULL
  SET moved.embedding_a = other.embedding_a, moved.embedding_b = other.embedding_b
}
CALL (keep, gone) {
  WITH keep, gone WHERE keep.user_id IS NOT NULL
  // include: invited(from=gone, to=keep, merged_from=[$gone])
}
CALL (keep, gone) {
  MATCH (gone)-[link]->(other)
  WHERE other <> keep AND type(link) <> 'MERGED_INTO'
    AND NOT (link:PARTICIPATES_IN AND link.added_by IS NOT NULL AND keep.user_id IS NOT NULL)
    AND (type(link) = 'PARTICIPATES_IN'
         OR NOT EXISTS { MATCH (keep)-[same:$(type(link))]->(other)
                         WHERE coalesce(same.predicate, '') = coalesce(link.predicate, '') })
  WITH keep, link, other, type(link) AS kind, link {.*, embedding_a: null, embedding_b: null} AS had
  DELETE link
  CREATE (keep)-[moved:$(kind)]->(other)
  SET moved = had, moved.merged_from = coalesce(had.merged_from, []) + $gone
}
REMOVE gone:$(labels(gone))
SET gone:Merged
WITH keep, record
CALL (keep) {
  MATCH (keep)<-[moved:ABOUT]-(m:Memory) WHERE moved.merged_from[-1] = $gone AND m.portable
  // include: kept_in_confidence
  WITH m WHERE NOT m.portable
  // include: copy_to_about
  RETURN collect(m.id) AS confided
}
SET record.confided = confided
WITH keep
CALL (keep) {
  MATCH (keep)<-[moved:ABOUT|STATED_BY]-(m:Memory)
  WHERE moved.merged_from[-1] = $gone AND (moved:STATED_BY OR keep:Person AND moved.person_id IS NULL)
  RETURN m
UNION
  UNWIND $ended AS id
  MATCH (m:Memory {id: id})
  RETURN m
}
CALL (m) {
  WITH m
  // include: copy_to_about
}
RETURN DISTINCT $merge_id AS id
