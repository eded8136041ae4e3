// Takes back statements that were found in turns and are not found in them any more. A memory without other sources is
// retired, unless people corrected, reworded, pinned or confirmed it. A retired memory keeps its links to the turns,
// so that it is purged with them. A memory with other sources gets the labels that these ask for.
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
