// What upkeep would retire or archive at `$moment`: for each step the number of memories, and at most `$most` ids.
// params: $threshold, $most
// returns: step, memories, examples
// mode: read

MATCH (m:Memory)
// include: expired
WITH collect(m.id) AS ids
RETURN 'expire' AS step, size(ids) AS memories, ids[..$most] AS examples
UNION ALL
MATCH (m:Memory)
// include: faded
WITH collect(m.id) AS ids
RETURN 'fade' AS step, size(ids) AS memories, ids[..$most] AS examples
UNION ALL
// include: entry_excess
CALL (scope, excess) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL AND NOT m:Episodic
  // include: worth_keeping
  WITH m.id AS id ORDER BY worth, id
  RETURN collect(id) AS ids
}
WITH reduce(all = [], one IN collect(ids[..excess]) | all + one) AS archived
RETURN 'archive_for_entries' AS step, size(archived) AS memories, archived[..$most] AS examples
UNION ALL
WITH '' AS after
// include: size_excess
CALL (scope, excess) {
  MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
  WHERE m.scope = scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  // include: worth_keeping
  WITH m.id AS id ORDER BY worth, id
  RETURN collect(id) AS ids
}
WITH reduce(all = [], one IN collect(ids[..excess]) | all + one) AS archived
RETURN 'archive_for_size' AS step, size(archived) AS memories, archived[..$most] AS examples
