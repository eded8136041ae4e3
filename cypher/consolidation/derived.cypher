// The statements that were found in turns before, by their words, and the memories that hold them now; null for a
// retired one, since what somebody forgot or corrected is not written again. A turn without statements has one row;
// one that was forgotten or erased meanwhile has none. The turns are locked first: memories are locked before people
// everywhere.
// params: $turns, $now, $no_end
// returns: turn, said, memory
// mode: write
UNWIND $turns AS id
MATCH (t:Memory {id: id})
WITH t ORDER BY t.id
SET t.lock = $now
WITH collect(t) AS turns
UNWIND turns AS t
WITH t WHERE t.retired_at = $no_end
OPTIONAL MATCH (t)<-[from:DERIVED_FROM]-(m:Memory)
UNWIND CASE coalesce(from.said, []) WHEN [] THEN [null] ELSE from.said END AS said
RETURN t.id AS turn, said, max(CASE WHEN m.retired_at = $no_end THEN m.id END) AS memory
