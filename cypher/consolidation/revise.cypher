// Takes back what was found in turns and is not found any more. A memory that nothing bears out is believed no longer,
// unless people made it theirs: corrected, reworded, pinned or confirmed it. What other turns bear out has the labels that
// these ask for.
// params: $turns, $now, $no_end
// returns: id, about
// mode: write
UNWIND $turns AS turn
MATCH (:Memory {id: turn.id})<-[from:DERIVED_FROM]-(m:Memory)
WHERE any(words IN coalesce(from.said, []) WHERE NOT words IN turn.said)
WITH turn, from, m ORDER BY m.id
SET m.lock = $now
SET from.said = [words IN from.said WHERE words IN turn.said]
WITH m, from WHERE size(from.said) = 0
DELETE from
WITH DISTINCT m
// include: derived_labels
MATCH (found:Memory {id: m.id}) WHERE NOT EXISTS { (found)-[:DERIVED_FROM]->() }
// include: unedited
SET found.retired_at = $now, found.retired_by = 'corrected'
REMOVE found.live_key
WITH found AS m
// include: copy_to_about
// include: relation_times
RETURN m.id AS id, [(m)-[:ABOUT {primary: true}]->(subject:Entity) | subject.id] AS about
