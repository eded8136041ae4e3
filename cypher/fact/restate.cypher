// Corrects the words of another person in the viewer's own name (P6). The new memory holds for the time of the old
// one, and is at least as private as the old one and as its words sound. The old memory is retired, unless it is what
// that person said of themselves: then it stays, and the two contradict each other. If the viewer is the only subject,
// the new memory outranks hearsay (W6). It takes its place in time among what the viewer said of the matter before
// (W5). Runs after `fact/correct`, under its locks.
// params: $id, $new_id, $content, $value_key, $text_key, $decay_rate, $gone, $facets, $viewer, $no_end
// returns: id
// mode: write
MATCH (old:Memory {id: $id})
MATCH (speaker:Person {id: $viewer})
WITH old, speaker, old.authority = 'self' AS of_themselves,
     CASE WHEN COLLECT { MATCH (old)-[:ABOUT]->(e) RETURN e.id } = [$viewer] THEN 'self' ELSE $viewer END AS authority,
     CASE WHEN old.claim_key CONTAINS '|=' THEN split(old.claim_key, '|=')[0] + '|=' + $text_key ELSE old.claim_key END AS key
CREATE (m:Memory:$(labels(old)))
SET m = old {.*, id: $new_id, content: $content, claim_key: key, live_key: null, value_key: $value_key, authority: authority,
             category: CASE WHEN authority = 'self' AND old.category = 'people' THEN 'profile'
                            WHEN authority <> 'self' AND old.category = 'profile' THEN 'people' ELSE old.category END,
             speaker_id: $viewer, speaker_name: speaker.canonical_name, source: 'agent', idempotency_key: null,
             frame: null, facets: [facet IN old.facets WHERE NOT facet IN $gone] + $facets,
             created_at: $now, learned_at: $now, last_accessed_at: null, changed_by: $viewer, changed_at: null,
             retired_at: $no_end, retired_by: null, outranked: null,
             confidence: 1.0, decay_rate: $decay_rate, importance: 1, said_on: [], grown_importance: 0, score: 0, scores: null, scored_at: null,
             access_count: 0, recalled_at: null, stabilities: null, last_hit_at: $now, pinned: null, pinned_by: null, expires_at: coalesce(old.lifetime_until, $no_end),
             ended_at: CASE old.valid_until WHEN $no_end THEN $no_end ELSE $now END,
             embedding_a: null, embedding_b: null, embedding_tokens_a: null, embedding_tokens_b: null,
             embedding_parts_a: null, embedding_parts_b: null}
// include: memory_keyed
// include: queued(node=m, job='enrich', due_at=$now)
// include: raise_labels
CREATE (m)-[:STATED_BY {created_at: $now}]->(speaker)
WITH old, m, of_themselves
CALL (old, m) {
  MATCH (old)-[link:ABOUT|LEARNED_IN|DERIVED_FROM]->(other) WHERE link.shared IS NULL
  CREATE (m)-[copy:$(type(link))]->(other)
  SET copy = properties(link)
}
CALL (m) {
  MATCH (m)-[from:DERIVED_FROM]->()
  SET from.quoted = false
}
CALL (old, m) {
  MATCH (over:Memory)-[rank:SUPERSEDES {outranks: true}]->(old) WHERE m.authority <> 'self'
  CREATE (over)-[copy:SUPERSEDES]->(m)
  SET copy = properties(rank), m.outranked = true
}
CALL (m) {
  MATCH (hearsay:Memory {claim_key: m.claim_key})
  WHERE m.authority = 'self' AND hearsay.authority <> 'self' AND hearsay.valid_until > m.valid_from
    AND hearsay.retired_at = $no_end AND hearsay.id <> $id
  CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: true,
                           valid_from: $now, valid_until: $no_end}]->(hearsay)
  SET hearsay.outranked = true
}
CALL (old, m, of_themselves) {
  WITH old, m WHERE of_themselves
  CREATE (m)-[:CONTRADICTS {created_at: $now, weight: 1.0, confidence: 1.0, valid_from: $now, valid_until: $no_end}]->(old)
}
CALL (old, m, of_themselves) {
  WITH old, m WHERE NOT of_themselves
  SET old.retired_at = $now, old.retired_by = 'corrected'
  CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                           valid_from: $now, valid_until: $no_end}]->(old)
}
WITH old, m AS made, of_themselves
CALL (made) {
  WITH CASE made.valid_until WHEN $no_end THEN [made] ELSE [] END AS live
  // include: one_live(merge=null)
  RETURN ended
}
CALL (made, ended) {
  UNWIND ended + made.id AS id
  MATCH (m:Memory {id: id})
  // include: copy_to_about
}
CALL (old, of_themselves) {
  WITH old AS m WHERE NOT of_themselves
  // include: copy_to_about
  // include: retired
}
RETURN made.id AS id
