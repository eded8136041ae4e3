// Notes that memories were returned, each `times` times and `at` last, to its `readers` so often: they are accessed and surer
// (T4), and more stable (T1). Of what is somebody's own the stability grows by its owner's recalls alone, which are kept
// with their times; they rank it for them (T5). What of one's own was returned together to oneself is joined, in pairs (T6).
// Each call is noted with what it returned (`$uses`), of whom is there still (W13).
// What was retired or archived meanwhile is left alone. None of what changes is in a vector index. All who do this take the
// locks in the same order.
// params: $rows, $pairs, $uses, $growth, $most_days, $now, $no_end
// returns: recalled
// mode: write
CALL () {
  // Whose erasure ends meanwhile is not there any more.
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
