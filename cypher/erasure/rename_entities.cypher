// Gives entities that had a person's names other names and a key of their own, with which the claims about them are
// rewritten. Their sound keys are made anew, and undoing a merge brings no old name back.
// params: $erasure_id, $worker, $rows, $listed, $now
// returns: -
// mode: write

// include: held_erasure
WITH erasure
UNWIND $rows AS row
MATCH (e:Entity|Merged {id: row.id})
WITH erasure, row, e, toLower(split(e.key, ':')[0]) AS kind,
     toLower(substring(e.key, size(split(e.key, ':')[0]) + 1)) AS ref
SET e += row.texts, e.key = row.key, e.called = row.called, e.names = row.names, e.sounds = [], e.last_updated = $now
FOREACH (one IN CASE WHEN e:Entity THEN [e] ELSE [] END |
  // include: queued(node=one, job='enrich', due_at=$now)
)
CALL (e, row) {
  UNWIND row.links AS named
  MATCH (e)-[link]-() WHERE elementId(link) = named.id
  SET link += named.texts
}
CALL (e) {
  MATCH (e)-[record:MERGED_INTO]-()
  SET record.added_names = [], record.sounds = null
}
CALL (e, row, kind, ref) {
  MATCH (e)<-[:ABOUT]-(m:Memory) WHERE m.claim_key STARTS WITH kind + '|' + ref + '|'
  WITH m, m.claim_key AS claim, row, kind, ref
  WITH m, claim, kind + '|' + row.ref + substring(claim, size(kind) + 1 + size(ref)) AS new_claim
  SET m.claim_key = new_claim,
      m.live_key = replace(m.live_key, '|' + claim + '|', '|' + new_claim + '|')
  // include: memory_keyed
}
WITH erasure, collect('Entity ' + e.id) AS renamed
SET erasure.reworded = erasure.reworded + size(renamed), erasure.rewritten = (erasure.rewritten + renamed)[..$listed]
