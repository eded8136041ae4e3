// Takes a fact out of the one into which it was folded: it is stored under another id, beside that one, and not folded
// again. For those who may change it (P4), as far as they may see it as it was. No row if this was done already.
// params: $id, $new_id, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id}) WHERE m.retired_by = 'folded' AND NOT m:Summary
// include: viewpoint_of_memory
// include: as_it_was
// include: visible
// include: may_change
// include: claimed
SET m.lock = CASE WHEN allowed THEN $now ELSE m.lock END
WITH m AS old, allowed
CALL (old, allowed) {
  WITH old WHERE allowed AND old.retired_by = 'folded'
    AND NOT EXISTS { MATCH (:Memory {kept_apart: true})-[:SUPERSEDES]->(old) }
  WITH old,
  // include: live_key(m=old, claim=old.claim_key)
  AS shared_key
  CREATE (m:Memory:$(labels(old)))
  SET m = old {.*, id: $new_id, idempotency_key: null, created_at: $now, retired_at: $no_end, retired_by: null, kept_apart: true,
               live_key: CASE WHEN old.valid_until < $no_end THEN null
                              WHEN EXISTS { (:Memory {live_key: shared_key}) } THEN shared_key + '|' + $new_id
                              ELSE shared_key END}
  CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                           valid_from: $now, valid_until: $no_end, predicate: 'unfolded'}]->(old)
  WITH old, m
  // include: copy_links
  // include: copy_mentions_and_parts
  // include: copy_to_about
  // include: relation_times
  RETURN count(m) AS unfolded
}
WITH allowed, unfolded WHERE NOT allowed OR unfolded > 0
RETURN allowed
