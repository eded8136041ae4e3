// Says that a fact was never so: it is retired, and what takes its place holds for its time (M14). A correction that
// another memory holds already changes nothing.
// params: $id, $new_id, $content, $value_key, $text_key, $no_end
// returns: allowed, turn, taken
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: home
// include: ever
// include: visible
// include: may_change
// include: still
WITH m AS old, allowed, m:Episodic AS turn
WITH *,
     CASE WHEN old.claim_key CONTAINS '|=' THEN split(old.claim_key, '|=')[0] + '|=' + $text_key ELSE old.claim_key END AS key
WITH *, CASE WHEN old.live_key IS NOT NULL THEN old.scope + '|' + old.persona_id + '|' + key + '|' + old.authority END AS live_key
OPTIONAL MATCH (other:Memory {live_key: live_key}) WHERE other.id <> old.id
WITH old, allowed, turn, key, live_key, other IS NOT NULL AS taken
CALL (old, allowed, turn, key, live_key, taken) {
  WITH * WHERE allowed AND NOT turn AND NOT taken
  SET old.retired_at = $now, old.retired_by = 'corrected'
  REMOVE old.live_key
  CREATE (m:Memory:$(labels(old)))
  SET m = old {.*, id: $new_id, content: $content, claim_key: key, memory_key: old.category + '|' + key,
               live_key: live_key, value_key: $value_key, created_at: $now, learned_at: $now, changed_by: $viewer,
               retired_at: $no_end, retired_by: null, said_on: [], grown_importance: 0,
               ended_at: CASE old.valid_until WHEN $no_end THEN $no_end ELSE $now END,
               embedding_a: null, embedding_b: null, due_at: $now, attempts: 0}
  SET m:Pending
  REMOVE m:Failed
  CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                           valid_from: $now, valid_until: $no_end}]->(old)
  WITH old, m
  // include: copy_links
  // include: about_marks
  WITH old AS m
  // include: about_marks
}
RETURN allowed, turn, taken
