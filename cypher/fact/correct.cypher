// Replaces a fact that was never true: it is retired, and the new fact holds for the same time (M14). The new fact is
// at least as private as its words sound. Only the viewer's own pin stays, since others pinned other words. Copies
// that were shared with groups are retired. Nothing changes for a turn, or if another memory that the viewer may see
// already holds the correction (`taken`). The words of another person (`by_another`) are only locked: `fact/restate`
// follows.
// params: $id, $new_id, $content, $value_key, $text_key, $no_end
// returns: allowed, turn, taken, by_another, speaker, source
// mode: write

// include: seen_memory
// include: may_change
// include: claimed
// include: lock_live
// include: said_by_another
// include: rekeyed
WITH old, allowed, old:Episodic AS turn, taken, by_another, key, live_key
CALL (old, allowed, turn, taken, by_another, key, live_key) {
  WITH * WHERE allowed AND NOT turn AND NOT taken AND NOT by_another
  SET old.retired_at = $now, old.retired_by = 'corrected'
  REMOVE old.live_key
  CREATE (m:Memory:$(labels(old)))
  SET m = old {.*, id: $new_id, content: $content, claim_key: key, idempotency_key: null,
               live_key: live_key, value_key: $value_key, created_at: $now, learned_at: $now, changed_by: $viewer,
               retired_at: $no_end, retired_by: null, said_on: [], grown_importance: 0,
               pinned_by: [one IN old.pinned_by WHERE one = $viewer],
               ended_at: CASE old.valid_until WHEN $no_end THEN $no_end ELSE $now END,
               embedding_a: null, embedding_b: null, embedding_tokens_a: null, embedding_tokens_b: null,
               embedding_parts_a: null, embedding_parts_b: null}
  // include: memory_keyed
  // include: queued(node=m, job='enrich', due_at=$now)
  // include: raise_labels
  CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                           valid_from: $now, valid_until: $no_end}]->(old)
  WITH old, m
  // include: copy_links
  // The turns in which the old fact was found do not state the new one.
  CALL (m) {
    MATCH (m)-[from:DERIVED_FROM]->()
    SET from.quoted = false
  }
  // include: copy_to_about
  WITH old AS m, old AS evidence
  // include: copy_to_about
  // include: relation_times
  // include: refresh_derived_labels
  WITH [evidence] AS originals
  // include: taken_back(chat=null, act='')
  RETURN count(taken_back) AS unshared
}
RETURN allowed, turn, taken, by_another, old.speaker_id AS speaker, old.source AS source
