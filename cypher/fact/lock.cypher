// Takes the locks for writing facts, always in the same order: on a place in the queue for `$items` facts, if `$place`
// names an owner or group, then on the chat and on the subjects. A second writer waits here, and reads the clock and
// the believed facts only afterwards. `due_at` is when the first fact is due; `full` says whether too many memories of
// the owner or group are already waiting. `space` is that of the chat `$learned_in`, else `$own_space` (P7).
// params: $place, $items, $apart, $most_waiting, $locked_chat, $locked_entities, $learned_in, $own_space, $now
// returns: due_at, full, chats, entities, space
// mode: write
WITH CASE $place WHEN '' THEN [] ELSE [$place] END AS scopes
// include: full_scopes
OPTIONAL CALL () {
  WITH 1 AS one WHERE $place <> ''
  MERGE (place:Lock {name: 'place facts ' + $place})
  SET place.at = $now
  WITH place, CASE WHEN place.next > $now THEN place.next ELSE $now END AS due_at
  SET place.next = due_at + duration({milliseconds: $apart * $items})
  RETURN due_at
}
CALL (due_at) {
  OPTIONAL MATCH (c:Chat {id: $locked_chat})
  SET c.lock = $now
  RETURN count(c) AS chats
}
CALL (chats) {
  UNWIND $locked_entities AS id
  MATCH (e:Entity {id: id})
  SET e.lock = $now
  // Locked first, to see whether it was merged meanwhile.
  WITH e WHERE NOT EXISTS { (e)-[:MERGED_INTO]->() }
  RETURN count(e) AS entities
}
OPTIONAL MATCH (said_in:Chat {id: $learned_in})
RETURN due_at, size(full) > 0 AS full, chats, entities, coalesce(said_in.space_id, $own_space) AS space
