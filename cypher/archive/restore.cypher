// Takes a memory out of the archive if the viewer may change it (P4). It counts as reinforced now, else the next
// nightly run would archive it again. If its live key was taken by another memory meanwhile, it ends when that one
// begins (W5); if that one began no later than it, both hold.
// params: $id, $active, $archived, $no_end
// returns: allowed
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id}) WHERE m:Archived
// include: viewpoint_of_memory
// include: at_any_time
WITH my_chats, my_groups, m, viewpoint {.*, status: 'archived'} AS viewpoint
// include: visible
// include: may_change
// include: claimed
// include: lock_live
WITH m, allowed, CASE WHEN m.claim_key IS NOT NULL AND m.valid_until = $no_end THEN
  // include: live_key(m=m, claim=m.claim_key)
END AS shared_key
OPTIONAL MATCH (holder:Memory {live_key: shared_key})
WITH m, allowed, shared_key, holder, coalesce(holder.takes_effect_at, holder.valid_from) AS begins
CALL (m, allowed, shared_key, holder, begins) {
  WITH * WHERE allowed AND m:Archived
  SET m.status = 'active', m.last_hit_at = $now,
      m.facets = [facet IN m.facets WHERE facet <> $archived] + $active,
      m.live_key = CASE WHEN holder IS NULL THEN shared_key WHEN begins > m.valid_from THEN null
                        ELSE shared_key + '|' + m.id END,
      m.valid_until = CASE WHEN begins > m.valid_from THEN begins ELSE m.valid_until END,
      m.ended_at = CASE WHEN begins > m.valid_from THEN $now ELSE m.ended_at END
  REMOVE m:Archived, m.archived_at
  FOREACH (newer IN CASE WHEN begins > m.valid_from THEN [holder] ELSE [] END |
    CREATE (newer)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                                 valid_from: $now, valid_until: $no_end}]->(m)
  )
  WITH m
  // include: copy_to_about
  // include: relation_times
}
RETURN allowed
