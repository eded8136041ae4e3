// Rewords a fact in place. The earlier wording is kept as a version, and enrichment reads the fact again. The fact is
// at least as private as the new words sound, and so is what follows from it. Copies that were shared with groups are
// retired. The score stays, the last access is now, and only the viewer's own pin stays, since others pinned other
// words. Nothing changes if another memory that the viewer may see already has this wording (`taken`), nor for a turn
// or for the words of another person (P6).
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
