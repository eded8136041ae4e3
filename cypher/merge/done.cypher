// Merges of things that still stand, the latest first, after a position in the list, or the one with the id
// `$merge_id`: those where the viewer may see a memory that named the merged entity (M15). `name` is a name of it that
// they see, else one made of its key.
// params: $merge_id, $until, $until_id, $limit
// returns: merge_id, created_at, merged_by, kept, key, name
// mode: read

// include: my_chats
MATCH (gone:Merged)-[record:MERGED_INTO]->(kept:Entity)
WHERE record.id IS NOT NULL AND gone.type <> 'person' AND kept.type <> 'person' AND ($merge_id IS NULL OR record.id = $merge_id)
  AND (record.created_at < $until OR record.created_at = $until AND record.id < $until_id)
WITH * ORDER BY record.created_at DESC, record.id DESC
CALL (gone, kept, my_chats, my_groups) {
  UNWIND [gone, kept] AS e
  MATCH (e)<-[link:ABOUT|MENTIONS]-(m:Memory) WHERE e = gone OR link.merged_from[-1] = gone.id
  // include: reachable
  // include: viewpoint_of_memory
  // include: at_any_time
  // include: visible
  RETURN [text IN coalesce(link.texts, []) + [link.name] WHERE text <> ''][0] AS name LIMIT 1
}
WITH * ORDER BY record.created_at DESC, record.id DESC LIMIT $limit
RETURN record.id AS merge_id, record.created_at AS created_at, record.merged_by AS merged_by, kept.id AS kept,
       gone.key AS key, coalesce(name, replace(split(split(gone.key, ':')[1], '-')[0], '_', ' ')) AS name
