// Folds facts into earlier ones that they repeat in other words (W5, M13). The earlier fact counts as said again and
// takes over the sources and the shared copies of the later one; a label is explicit if it is for either. The later
// fact is retired, and the history shows what replaced it. Both are checked again under their locks, since somebody
// may have changed them.
// params: $rows, $day, $no_end
// returns: folded
// mode: write
UNWIND $rows AS row
UNWIND [row.id, row.into] AS id
MATCH (both:Memory {id: id})
WITH row, both ORDER BY both.id
SET both.lock = $now
WITH row, collect(both) AS locked
MATCH (m:Memory {id: row.into}) USING INDEX SEEK m:Memory(id) WHERE m.live_key IS NOT NULL AND m.retired_at > $now
MATCH (later:Memory {id: row.id}) USING INDEX SEEK later:Memory(id) WHERE later.live_key IS NOT NULL AND later.retired_at > $now
  AND later.sensitivity = m.sensitivity AND later.portable = m.portable AND later.space_id = m.space_id
WITH m, later, $day AS day
// include: confirm_repetition
SET later.retired_at = $now, later.retired_by = 'folded',
    m.explicit_labels = coalesce(m.explicit_labels, [])
      + [label IN coalesce(later.explicit_labels, []) WHERE NOT label IN coalesce(m.explicit_labels, [])],
    m.inferred_labels = [label IN m.inferred_labels WHERE label IN later.inferred_labels]
REMOVE later.live_key
CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false, predicate: 'curated_fold',
                         valid_from: $now, valid_until: $no_end}]->(later)
WITH m, later
CALL (m, later) {
  MATCH (later)-[link:DERIVED_FROM]->(episode) WHERE link.shared IS NULL
  MERGE (m)-[copy:DERIVED_FROM]->(episode)
  ON CREATE SET copy = properties(link)
  ON MATCH SET copy.said = copy.said + [words IN link.said WHERE NOT words IN copy.said]
}
CALL (m, later) {
  MATCH (later)<-[link:DERIVED_FROM {shared: true}]-(copy)
  CREATE (copy)-[moved:DERIVED_FROM]->(m)
  SET moved = properties(link)
  DELETE link
}
// include: derived_labels
WITH m, later AS old
// include: transfer_relation_evidence
WITH old AS m
// include: copy_to_about
// include: relation_times
RETURN m.id AS folded
