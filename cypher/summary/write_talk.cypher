// Writes the next version of a summary of talk. The one before is retired and stays stored. The worker's request is
// completed, if they still hold it; without a `$worker` the summary was asked for directly. Without a `$summary` the
// last one is only retired. A summary with the same text, sensitivity and sources is kept, unless a source was reworded
// since. If a source was forgotten or erased since it was read, nothing is written, and a worker tries again when the
// lease has ended.
// params: $line, $worker, $labels, $summary, $sources, $session, $person, $as_memory, $now, $no_end
// returns: id
// mode: write
OPTIONAL MATCH (asked:SummaryRequest {id: $line})
WITH asked WHERE ($worker IS NULL OR asked.worker = $worker) AND
  // include: sources_stand
// The lock serialises a direct call and a worker; of several workers only the one that holds the request writes.
OPTIONAL MATCH (locked:Session {id: $session})
SET locked.lock = $now
WITH asked
CALL () {
  OPTIONAL MATCH (old:Summary) USING INDEX SEEK old:Summary(line, created_at)
  WHERE old.line = $line AND old.created_at IS NOT NULL
  WITH old, old.retired_at = $no_end AND old.content = $summary.content AND old.sensitivity = $summary.sensitivity
    AND old.sentences = $summary.sentences AND old.sections = $summary.sections
    AND COLLECT { MATCH (old)-[:DERIVED_FROM]->(m) RETURN m.id ORDER BY m.id } = $sources
    AND NOT EXISTS { MATCH (old)-[:DERIVED_FROM]->(source:Memory) WHERE source.changed_at > old.created_at } AS same
  FOREACH (gone IN CASE WHEN coalesce(same, false) OR old.retired_at < $no_end THEN [] ELSE [old] END |
    SET gone.retired_at = $now, gone.retired_by = 'folded'
  )
  RETURN max(CASE WHEN same THEN old.id END) AS kept, coalesce(max(old.version), 0) AS version
}
CALL (kept, version) {
  WITH version WHERE kept IS NULL AND $summary IS NOT NULL
  CREATE (s:Summary:$($labels))
  SET s = $summary, s.version = version + 1
  FOREACH (memory IN CASE WHEN $as_memory THEN [s] ELSE [] END |
    SET memory:Memory:Semantic
    // include: queued(node=memory, job='enrich', due_at=$now)
  )
  WITH s
  CALL (s) {
    MATCH (session:Session {id: $session})
    CREATE (s)-[:SUMMARIZES {created_at: $now}]->(session)
  }
  CALL (s) {
    MATCH (p:Person {id: $person})
    CREATE (s)-[:OF {created_at: $now}]->(p)
  }
  CALL (s) {
    UNWIND $sources AS source
    MATCH (from:Memory {id: source})
    CREATE (s)-[:DERIVED_FROM {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: $now, valid_until: $no_end,
                              quoted: false}]->(from)
  }
  RETURN collect(s.id)[0] AS written
}
CALL (asked) {
  WITH asked WHERE $worker IS NOT NULL
  DELETE asked
}
RETURN coalesce(kept, written) AS id
