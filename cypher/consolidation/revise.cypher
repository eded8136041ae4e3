// Takes back what was found in turns and is not found any more. A memory that nothing bears out is believed no longer,
// unless people made it theirs: corrected, reworded, pinned or confirmed it.
// params: $turns, $now, $no_end
// returns: retired
// mode: write
UNWIND $turns AS turn
MATCH (:Episodic {id: turn.id})<-[from:DERIVED_FROM]-(m:Memory)
WHERE any(words IN coalesce(from.said, []) WHERE NOT words IN turn.said)
SET m.lock = $now
SET from.said = [words IN from.said WHERE words IN turn.said]
WITH m, from WHERE size(from.said) = 0
DELETE from
WITH DISTINCT m
MATCH (again:Memory {id: m.id})
WHERE again.retired_at = $no_end AND again.source IN ['extraction', 'consolidation']
  AND again.changed_by IS NULL AND again.changed_at IS NULL AND NOT coalesce(again.pinned, false)
  AND again.decay_rate > 0 AND NOT EXISTS { (again)-[:DERIVED_FROM]->() }
SET again.retired_at = $now, again.retired_by = 'corrected'
REMOVE again.live_key
WITH again AS m
// include: about_marks
RETURN count(m) AS retired
