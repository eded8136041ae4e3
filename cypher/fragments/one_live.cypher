// Sets the live keys of the memories `live`, which have no end and no live key. Where several share a key, also with a
// memory that has it already, the last to begin is live, and each before it ends when the next begins (W5). `ended` are
// the ids of these. The supersession stores the id of the merge that makes it necessary, `$$merge`, or null.
// expects: live
// takes: merge
// params: $now, $no_end
CALL (live) {
  UNWIND live AS m
  WITH m,
  // include: live_key(m=m, claim=m.claim_key)
  AS live_key
  WITH live_key, collect(m) AS ours
  OPTIONAL MATCH (there:Memory {live_key: live_key})
  WITH live_key, CASE WHEN there IS NULL THEN ours ELSE ours + there END AS rivals
  CALL (rivals) {
    UNWIND rivals AS rival
    WITH rival ORDER BY coalesce(rival.takes_effect_at, rival.valid_from), rival.created_at, rival.id
    RETURN collect(rival) AS chain
  }
  CALL (chain) {
    UNWIND range(0, size(chain) - 2) AS place
    WITH chain[place] AS old, chain[place + 1] AS next
    SET old.valid_until = coalesce(next.takes_effect_at, next.valid_from), old.ended_at = $now
    REMOVE old.live_key
    CREATE (next)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                                valid_from: $now, valid_until: $no_end, merge_id: $$merge}]->(old)
    WITH old, old AS m
    // include: relation_times
    RETURN collect(old.id) AS ended_here
  }
  WITH live_key, chain, ended_here, chain[-1] AS stays
  SET stays.live_key = live_key
  RETURN collect(ended_here) AS ended_each
}
WITH reduce(all = [], ids IN ended_each | all + ids) AS ended
