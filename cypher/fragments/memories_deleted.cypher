// Deletes the memories `gone`, with their earlier wordings and the todos found in them, and adds them to the counts of
// `erasure`. Memories that were derived from other evidence too get the labels that the rest asks for. Relations
// between entities last as long as their remaining evidence, and are deleted without any. Summaries made of the
// memories are deleted and requested anew. Entities known from these memories alone are deleted.
// expects: erasure, gone
// params: $ids, $listed, $now, $no_end
CALL (gone) {
  UNWIND gone AS said
  MATCH (said)-[:ABOUT]->(:Entity)-[related:RELATED_TO]-(:Entity) WHERE said.id IN related.evidence
  WITH DISTINCT related, [one IN gone | one.id] AS ids
  SET related.evidence = [id IN related.evidence WHERE NOT id IN ids]
  WITH related WHERE size(related.evidence) > 0
  // include: evidence_times
}
CALL (gone) {
  UNWIND gone AS said
  MATCH (said)-[:ABOUT]->(:Entity)-[related:RELATED_TO {evidence: []}]-(:Entity)
  WITH DISTINCT related, [startNode(related), endNode(related)] AS ends
  DELETE related
  WITH count(*) AS relations, collect(ends) AS ends
  RETURN relations, reduce(all = [], pair IN ends | all + pair) AS neighbours
}
// include: summaries_remade
CALL (gone) {
  UNWIND gone AS source
  MATCH (source)<-[:DERIVED_FROM]-(t:Todo)
  WITH DISTINCT t
  DETACH DELETE t
  RETURN count(*) AS todos
}
CALL (gone) {
  UNWIND gone AS source
  MATCH (source)<-[from:DERIVED_FROM]-(m:Memory) WHERE NOT m IN gone AND NOT m:Summary
  DELETE from
  WITH DISTINCT m
  // include: derived_labels
}
CALL (gone, neighbours) {
  // include: known_from_these_alone
  OPTIONAL MATCH (was:Merged)-[:MERGED_INTO]->+(e)
  DETACH DELETE was, e
  RETURN count(DISTINCT e) AS entities
}
CALL (gone) {
  UNWIND gone AS m
  MATCH (m)-[:HAS_VERSION]->(v:Version)
  DETACH DELETE v
  RETURN count(*) AS versions
}
WITH *, size([m IN gone WHERE m:Episodic]) AS turns, size([m IN gone WHERE m:Summary]) AS summaries
SET erasure.turns = erasure.turns + turns, erasure.summaries = erasure.summaries + summaries + remade,
    erasure.facts = erasure.facts + size(gone) - turns - summaries, erasure.versions = erasure.versions + versions,
    erasure.relations = erasure.relations + relations, erasure.entities = erasure.entities + entities,
    erasure.todos = erasure.todos + todos,
    erasure.removed = (erasure.removed + [m IN gone | 'Memory ' + m.id])[..$listed]
FOREACH (m IN gone | DETACH DELETE m)
