// Takes back what was found in turns and is not found any more. A memory that nothing bears out is believed no longer,
// unless people made it theirs: corrected, reworded, pinned or confirmed it; whence it came stays known, so that it goes
// when its turn is purged. What other turns bear out has the labels that these ask for.
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
WITH m, collect(from) AS emptied
OPTIONAL CALL (m, emptied) {
  WITH m AS found, emptied
  WHERE NOT EXISTS { (found)-[other:DERIVED_FROM]->() WHERE NOT other IN emptied }
  // include: unedited
  RETURN found
}
FOREACH (from IN CASE WHEN found IS NULL THEN emptied ELSE [] END | DELETE from)
WITH m, found
// include: derived_labels
WITH found WHERE found IS NOT NULL
SET found.retired_at = $now, found.retired_by = 'corrected'
REMOVE found.live_key
WITH found AS m
// include: copy_to_about
// include: relation_times
RETURN m.id AS id, [(m)-[:ABOUT {primary: true}]->(subject:Entity) | subject.id] AS about
