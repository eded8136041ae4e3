// In which words statements were found in turns before, and which memory holds each now; none when it was retired: what
// somebody forgot or corrected is not brought back. The turns are locked first: everybody locks memories before people. A
// turn in which nothing was found before has one row; one that was forgotten or erased meanwhile has none.
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
