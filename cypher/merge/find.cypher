// A merge by its id: what was merged into what, by whom, whether by the right of an administrator, and which merges
// have to be undone before it (`later`).
// params: $merge_id
// returns: merge_id, gone, kept, merged_by, by_right, later
// mode: read
MATCH (gone:Merged)-[record:MERGED_INTO {id: $merge_id}]->(kept:Entity|Merged)
RETURN record.id AS merge_id, gone {.id, .key, .type, .created_by} AS gone, kept {.id, .key, .type, .created_by} AS kept,
       record.merged_by AS merged_by, coalesce(record.by_right, false) AS by_right,
       COLLECT {
         MATCH (kept)-[over:MERGED_INTO]->() RETURN over.id AS id
       UNION
         MATCH (kept)<-[beside:MERGED_INTO]-()
         WHERE beside.id IS NOT NULL AND [beside.created_at, beside.id] > [record.created_at, record.id]
         RETURN beside.id AS id
       } AS later
