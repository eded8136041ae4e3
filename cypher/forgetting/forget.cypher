// Forgets a batch of the planned memories, with the facts found in them alone, and records each. It also records which
// were retired before: an undo leaves these retired. Memories that the person may no longer change are left out.
// params: $erasure_id, $worker, $limit, $no_end
// returns: taken
// mode: write

// include: held_erasure
// include: my_chats
CALL (erasure, my_chats) {
  MATCH (erasure)-[planned:SELECTS]->(m:Memory)
  WITH planned, m LIMIT $limit
  DELETE planned
  WITH m ORDER BY m.id
  SET m.lock = $now
  WITH m, m.owner_id = $viewer OR m.chat_id IN my_chats AS allowed, m.retired_at = $no_end AS believed
  FOREACH (one IN CASE WHEN allowed THEN [m] ELSE [] END |
    CREATE (erasure)-[:FORGOT {created_at: $now, given_up_before: NOT believed, changed_by: m.changed_by}]->(one)
  )
  RETURN count(m) AS taken, collect(CASE WHEN allowed AND believed THEN m END) AS gone
}
WITH erasure, taken, gone
// include: forgotten_with(act=$erasure_id)
CALL (erasure, gone, forgotten) {
  UNWIND forgotten AS m
  WITH m WHERE NOT m IN gone
  MERGE (erasure)-[forgot:FORGOT]->(m)
  ON CREATE SET forgot.created_at = $now, forgot.given_up_before = false
}
SET erasure.done = erasure.done + taken
RETURN taken
