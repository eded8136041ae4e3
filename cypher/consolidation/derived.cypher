// In which words statements were found in turns before, whatever became of them since: what somebody forgot or corrected
// is not brought back.
// params: $turns
// returns: turn, said
// mode: read
UNWIND $turns AS id
MATCH (t:Episodic {id: id})<-[from:DERIVED_FROM]-(:Memory)
UNWIND coalesce(from.said, []) AS said
RETURN id AS turn, collect(DISTINCT said) AS said
