// Words a fact anew, in place: the earlier wording is kept as a version, and enrichment reads it again. It is at least
// as private as the new words sound, and so is what follows from it; what was shared of it is taken back. Its score stays, its last access is now; it is
// pinned for who worded it alone, since others pinned other words. A wording
// that another memory which the viewer may see has already changes nothing; a turn stays as it was said, and so do the words
// of another person (P6).
// params: $id, $version_id, $content, $value_key, $text_key, $no_end
// returns: allowed, turn, taken, by_another
// mode: write

// include: seen_memory
// include: may_change
// include: claimed
// include: lock_live
// include: said_by_another
// include: rekeyed
WITH m, allowed, m:Episodic AS turn, taken, by_another, key, live_key
CALL (m, allowed, turn, taken, by_another, key, live_key) {
  WITH * WHERE allowed AND NOT turn AND NOT taken AND NOT by_another
  CREATE (m)-[:HAS_VERSION {created_at: $now}]->(:Version {
    id: $version_id, content: m.content, changed_at: $now, changed_by: $viewer
  })
  SET m.content = $content, m.value_key = $value_key, m.claim_key = key, m.live_key = live_key,
      m.pinned_by = [one IN m.pinned_by WHERE one = $viewer], m.changed_at = $now, m.last_accessed_at = $now,
      m.embedding_tokens_a = null, m.embedding_tokens_b = null
  // include: parts_deleted
  CALL (m) {
    WITH m, m.stability AS stability_before WHERE m.owner_id <> ''
    // include: recall_noted
  }
  // include: memory_keyed
  // include: queued(node=m, job='enrich', due_at=$now)
  // include: raise_labels
  WITH m
  // include: copy_to_about
  CALL (m) {
    MATCH (m)-[named:MENTIONS]->()
    DELETE named
  }
  WITH m AS evidence
  // include: refresh_derived_labels
  WITH [evidence] AS originals
  // include: taken_back(chat=null, act='')
  RETURN count(taken_back) AS unshared
}
RETURN allowed, turn, taken, by_another
