// Writes the summary of an entity in one scope, retires the one before, and takes the entity off the queue, if the
// worker still holds it. Without a `$memory` the last summary is only retired. A summary with the same content,
// sensitivity and sources is kept, unless a source was reworded since. If a source was forgotten or erased since it was
// read, nothing is written, and a worker tries again when the lease has ended.
// params: $id, $worker, $memory, $sources, $now, $no_end
// returns: -
// mode: write
MATCH (p:EntityProfile {id: $id}) WHERE p.worker = $worker AND
  // include: sources_stand
OPTIONAL MATCH (e:Entity {id: p.entity_id})
CALL (p, e) {
  MATCH (e)<-[:SUMMARIZES]-(old:EntitySummary)
  WHERE old.scope = p.scope AND old.persona_id = p.persona_id AND old.space_id = p.space_id AND old.retired_at = $no_end
  WITH old, old.content = $memory.content AND old.sensitivity = $memory.sensitivity
    AND COLLECT { MATCH (old)-[:DERIVED_FROM]->(m) RETURN m.id ORDER BY m.id } = $sources
    AND NOT EXISTS { MATCH (old)-[:DERIVED_FROM]->(source:Memory) WHERE source.changed_at > old.created_at } AS same
  FOREACH (gone IN CASE WHEN coalesce(same, false) THEN [] ELSE [old] END |
    SET gone.retired_at = $now, gone.retired_by = 'folded'
  )
  RETURN count(CASE WHEN same THEN 1 END) AS kept
}
CALL (e, kept) {
  WITH e WHERE e IS NOT NULL AND kept = 0 AND $memory IS NOT NULL
  CREATE (m:Memory:Semantic:Summary:EntitySummary)
  SET m = $memory
  CREATE (m)-[:SUMMARIZES {created_at: $now}]->(e)
  // include: queued(node=m, job='enrich', due_at=$now)
  WITH m
  UNWIND $sources AS source
  MATCH (from:Memory {id: source})
  CREATE (m)-[:DERIVED_FROM {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: $now, valid_until: $no_end,
                          quoted: false}]->(from)
}
DELETE p
