// Says that a memory served or misled (T5): for whoever sees it.
// params: $id, $by, $hit, $no_end
// returns: allowed, score
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: at_any_time
// include: visible
WITH *, true AS allowed
// include: lock_live
SET m.score = m.score + $by, m.last_hit_at = CASE WHEN $hit THEN $now ELSE m.last_hit_at END
RETURN allowed, m.score AS score
