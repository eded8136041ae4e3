// Records recalls. A row of `$rows` says that a memory was returned `times` times, last `at`, and how often to each of
// its `readers`. The access count and the confidence (T4) and the stability (T1) of the memory grow.
// The stability of a memory with an owner grows by the owner's recalls alone. These are stored with their times, and
// count in the ranking for the owner (T5). Pairs of the reader's own memories that were returned together are linked
// (T6). Each call is recorded with what it returned (`$uses`), if its person still exists (W13).
// Memories retired or archived meanwhile are left alone. None of the changed properties is in a vector index. All
// writers take the locks in the same order.
// params: $rows, $pairs, $uses, $growth, $most_days, $now, $no_end
// returns: recalled
// mode: write
CALL () {
  // A person whose erasure has ended meanwhile no longer exists.
  UNWIND $uses AS use
  MATCH (p:Person {id: use.person_id})
  WITH DISTINCT p ORDER BY p.id
  SET p.lock = $now
  RETURN count(p) AS locked
}
CALL (locked) {
  UNWIND $rows AS row
  MATCH (m:Memory {id: row.id})
  WITH m, row ORDER BY m.id
  SET m.lock = $now
  WITH m, row WHERE m.retired_at = $no_end AND m.status = 'active'
  WITH m, row, m.stability AS stability_before,
       CASE m.owner_id WHEN '' THEN row.times ELSE coalesce(row.readers[m.owner_id], 0) END AS own_times
  SET m.confidence = reduce(sure = m.confidence, count IN range(m.access_count + 1, m.access_count + row.times) |
        CASE WHEN sure + 0.05 * log(1 + count / 20.0) < 1 THEN sure + 0.05 * log(1 + count / 20.0) ELSE 1.0 END),
      m.stability = reduce(days = m.stability, count IN range(1, own_times) |
        CASE WHEN days >= $most_days THEN days WHEN days * $growth < $most_days THEN days * $growth ELSE $most_days END),
      m.last_accessed_at = CASE WHEN m.last_accessed_at >= row.at THEN m.last_accessed_at ELSE row.at END
  SET m.access_count = m.access_count + row.times
  CALL (m, own_times, stability_before) {
    WITH * WHERE own_times > 0 AND m.owner_id <> ''
    // include: recall_noted
  }
  RETURN collect(m.id) AS recalled_ids
}
CALL (recalled_ids) {
  UNWIND $pairs AS pair
  WITH pair WHERE pair.one IN recalled_ids AND pair.other IN recalled_ids
  MATCH (one:Memory {id: pair.one, owner_id: pair.reader}), (other:Memory {id: pair.other, owner_id: pair.reader})
  MERGE (one)-[link:CO_RECALLED]->(other)
  ON CREATE SET link.created_at = $now, link.strength = pair.times
  ON MATCH SET link.strength = link.strength + pair.times
}
CALL (locked) {
  UNWIND $uses AS use
  MATCH (p:Person {id: use.person_id})
  CREATE (u:Use {id: use.id, person_id: p.id, at: use.at, kind: use.kind, credential: use.credential, chat_id: use.chat_id,
                 persona_id: use.persona_id, space_id: use.space_id})
  WITH u, use
  UNWIND range(0, size(use.ids) - 1) AS place
  MATCH (m:Memory {id: use.ids[place]})
  WITH u, m, place ORDER BY m.id
  CREATE (u)-[:USED {place: place, created_at: u.at}]->(m)
}
RETURN size(recalled_ids) AS recalled
