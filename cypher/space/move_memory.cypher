// Moves a memory to a space that the viewer may use, or to none (`''`), with the facts that were extracted from it
// alone. The viewer must be `allowed` to change the memory (P4). A memory of a group may be in the space of its chat or
// in none: elsewhere nobody would see it. `fits` is false if there is no such space for the memory. `again` lists the
// facts that hold again since the move (fragment moved_to_space).
// params: $id, $target, $no_end, $ids
// returns: allowed, fits, summary, again
// mode: write

// include: my_chats
MATCH (m:Memory {id: $id})
// include: viewpoint_of_memory
// include: as_it_was
WITH *, viewpoint {.*, status: m.status} AS placed
WITH my_chats, my_groups, m, placed AS viewpoint
// include: visible
// include: may_change
OPTIONAL CALL (my_chats, m) {
  MATCH (s:Space {id: $target})
  // include: my_space
  WITH * WHERE m.chat_id = '' OR EXISTS { (:Chat {id: m.chat_id, space_id: s.id}) }
  RETURN s
}
WITH m, allowed, s, $target = '' OR s IS NOT NULL AS fits, m:Summary AS summary
CALL (m, allowed, fits, summary) {
  WITH m WHERE allowed AND fits AND NOT summary AND m.space_id <> $target
  SET m.lock = $now
  WITH m, m.space_id AS left
  CALL (m, left) {
    RETURN m AS one
  UNION
    MATCH (m:Episodic)<-[:DERIVED_FROM]-(one:Memory)
    WHERE one.space_id = left AND NOT one:Summary AND NOT EXISTS {
      MATCH (one)-[:DERIVED_FROM]->(turn:Memory) WHERE turn <> m AND turn.retired_at = $no_end
    }
    RETURN one
  }
  RETURN collect(one) AS moving, left
UNION
  WITH 1 AS one WHERE NOT allowed OR NOT fits OR summary OR m.space_id = $target
  RETURN [] AS moving, '' AS left
}
CALL (m, moving, left) {
  UNWIND CASE moving WHEN [] THEN [] ELSE [m] END AS turn
  MATCH (turn:Episodic)<-[from:DERIVED_FROM]-(one:Memory) WHERE one.space_id = left AND NOT one:Summary AND NOT one IN moving
  DELETE from
}
WITH allowed, fits, summary, moving, $target AS target, coalesce(s.facets, []) AS words,
     COLLECT { MATCH (old:Space {id: left}) UNWIND old.facets AS facet RETURN facet } AS gone_words
// include: moved_to_space
RETURN allowed, fits, summary, again
