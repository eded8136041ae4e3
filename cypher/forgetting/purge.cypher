// Deletes a batch of what an act forgot, permanently: with the memories that it superseded as corrected or folded, and
// with what follows from these and from nothing else that is believed. Returns the hashes and words by which an import
// recognises it, and the entities that lose a name which nothing else gives.
// params: $erasure_id, $worker, $limit, $listed, $ids, $label_terms, $now, $no_end
// returns: deleted, keys, statements, named
// mode: write

// include: held_erasure
CALL (erasure) {
  MATCH (erasure)-[:FORGOT]->(m:Memory)
  RETURN m LIMIT $limit
}
WITH erasure, collect(m) AS some
// include: few_used
CALL (chosen) {
  UNWIND chosen AS m
  MATCH (m)(()-[:SUPERSEDES]->(old:Memory WHERE old.retired_by IN ['corrected', 'folded'])){0,}(told:Memory)
  WHERE told.scope = m.scope
  RETURN collect(DISTINCT told) AS tellings
}
CALL (erasure, tellings) {
  UNWIND tellings AS source
  MATCH (source)<-[:DERIVED_FROM]-(found:Memory)
  WHERE NOT found:Summary AND NOT found IN tellings
    AND NOT EXISTS { (found)-[:DERIVED_FROM]->(other:Memory) WHERE NOT other IN tellings AND other.retired_at = $no_end }
    AND (erasure.person_id IN [found.owner_id, found.speaker_id] OR found.source IN ['extraction', 'consolidation'])
  RETURN collect(DISTINCT found) AS derived
}
WITH erasure, tellings + derived AS gone
CALL (gone) {
  UNWIND gone AS m
  MATCH (m)-[naming:ABOUT|MENTIONS]->(e:Entity|Merged)
  UNWIND coalesce(naming.texts, []) + [naming.name] AS text
  WITH gone, e, toLower(text) AS told WHERE told <> ''
  WITH gone, e, collect(DISTINCT told) AS told
  WITH gone, e, [text IN told WHERE NOT text IN [name IN coalesce(e.given_names, []) | toLower(name)] AND NOT EXISTS {
    MATCH (e)<-[naming:ABOUT|MENTIONS]-(other:Memory)
    WHERE NOT other IN gone AND text IN [name IN coalesce(naming.texts, []) + [coalesce(naming.name, '')] | toLower(name)]
  }] AS lost
  WHERE size(lost) > 0 AND EXISTS { MATCH (e)<-[:ABOUT|MENTIONS|STATED_BY]-(other:Memory) WHERE NOT other IN gone }
  RETURN collect(e {.id, .key, .canonical_name, .aliases, .called, .names, lost: lost, left: COLLECT {
           MATCH (e)<-[naming:ABOUT|MENTIONS]-(other:Memory) WHERE NOT other IN gone
           UNWIND coalesce(naming.texts, []) + [naming.name] AS text
           WITH text WHERE text <> '' AND NOT text STARTS WITH '@'
           RETURN DISTINCT text LIMIT 20
         }}) AS named
}
WITH erasure, gone, named, [m IN gone WHERE m.idempotency_key <> m.id | split(m.idempotency_key, ' ')[0]] AS keys,
     [m IN gone WHERE m.owner_id = erasure.person_id AND NOT m:Episodic | m.content] AS statements
CALL (erasure, gone) {
  UNWIND gone AS m
  WITH erasure, m WHERE m.turn IS NOT NULL
  WITH erasure, collect(DISTINCT m.learned_in) AS chats
  SET erasure.chats = erasure.chats + [chat IN chats WHERE NOT chat IN erasure.chats]
}
SET erasure.done = erasure.done + size([m IN gone WHERE EXISTS { (erasure)-[:FORGOT]->(m) }])
WITH *
// include: memories_deleted
RETURN size(gone) AS deleted, keys, statements, named
