// Replaces the texts of memories by texts without a person's names, and deletes their links to the person. The
// memories are enriched anew, since their vectors are of the old words and a remaining name may mean somebody else.
// Summaries of those that are `changed` are made anew. A fact that was primarily about the person gets a key of its
// own words. Entities with ids of `$nobodys` are deleted once nothing mentions them, with those that were merged into
// them.
// params: $erasure_id, $worker, $rows, $ids, $nobodys, $tokens, $listed, $now
// returns: -
// mode: write

// include: held_erasure
WITH erasure
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
CALL (m) {
  MATCH (m)-[link:ABOUT|MENTIONS]->(x) WHERE x.id IN $ids
  DELETE link
}
SET m += row.texts, m.facets = [facet IN m.facets WHERE NOT facet IN $tokens],
    m.live_key = CASE WHEN m.live_key IS NOT NULL AND m.claim_key <> row.claim
                      THEN m.scope + '|' + m.persona_id + '|' + row.claim + '|' + m.authority + '|' + m.id
                      ELSE m.live_key END,
    m.claim_key = row.claim,
    m.embedding_a = null, m.embedding_b = null, m.embedding_model_a = null, m.embedding_model_b = null,
    m.embedding_tokens_a = null, m.embedding_tokens_b = null
// include: parts_deleted
// include: memory_keyed
// include: queued(node=m, job='enrich', due_at=$now)
WITH erasure, m, row
CALL (row) {
  UNWIND row.versions AS version
  MATCH (v:Version {id: version[0]})
  SET v.content = version[1]
}
CALL (m, row) {
  UNWIND row.quoted AS quoted
  MATCH (m)-[from:DERIVED_FROM]->(:Memory {id: quoted[0]})
  SET from.words = quoted[1]
}
// include: copy_to_about
WITH erasure, collect(CASE WHEN row.changed THEN m END) AS gone
// include: summaries_remade
CALL () {
  UNWIND $nobodys AS id
  MATCH (nobody:Entity {id: id}) WHERE NOT EXISTS { (nobody)<-[:ABOUT|MENTIONS]-() }
  OPTIONAL MATCH (was:Merged)-[:MERGED_INTO]->+(nobody)
  WITH id, nobody, was, was.id AS former
  DETACH DELETE was, nobody
  RETURN collect(DISTINCT 'Entity ' + id) AS nobodys, collect(DISTINCT 'Entity ' + former) AS formers
}
SET erasure.reworded = erasure.reworded + size(gone), erasure.summaries = erasure.summaries + remade,
    erasure.entities = erasure.entities + size(nobodys), erasure.removed = (erasure.removed + nobodys + formers)[..$listed],
    erasure.rewritten = (erasure.rewritten + [m IN gone | 'Memory ' + m.id])[..$listed]
