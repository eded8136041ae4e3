// Readdresses the memories that came from a merged entity back to it: in their keys, speakers and index terms. What the
// merge ended is live again, unless something else has replaced it since.
// params: $merge_id, $now, $no_end
// returns: ended
// mode: write
MATCH (gone:Merged)-[record:MERGED_INTO {id: $merge_id}]->(keep:Entity)
SET keep.lock = $now
WITH gone, record, keep
CALL (record) {
  UNWIND record.ended AS id
  MATCH (m:Memory {id: id})<-[replaced:SUPERSEDES {merge_id: record.id}]-()
  DELETE replaced
  WITH m, record WHERE m.ended_at = record.created_at AND m.retired_at > $now
  SET m.valid_until = $no_end, m.ended_at = $no_end
  // A unique placeholder that marks it as live; the real key is set below.
  SET m.live_key = record.id + m.id
  RETURN collect(m) AS again
}
CALL (keep, gone) {
  MATCH (keep)<-[r:ABOUT|STATED_BY]-(m:Memory) WHERE r.merged_from[-1] = gone.id
  RETURN m, r, true AS moved
UNION ALL
  MATCH (gone)<-[r:ABOUT]-(m:Memory)
  RETURN m, r, false AS moved
}
WITH again, m, collect({link: r, moved: moved}) AS links
WITH again, collect({
  memory: m,
  of_it: any(each IN links WHERE type(each.link) = 'ABOUT' AND each.link.primary),
  about_it: any(each IN links WHERE type(each.link) = 'ABOUT' AND each.moved),
  stated: any(each IN links WHERE type(each.link) = 'STATED_BY')
}) AS named
WITH named + [m IN again WHERE none(each IN named WHERE each.memory = m)
              | {memory: m, of_it: false, about_it: false, stated: false}] AS named
UNWIND named AS each
WITH each.memory AS m, each.of_it AS of_it, each.about_it AS about_it, each.stated AS stated
// include: readdressed
// include: one_live(merge=$merge_id)
RETURN ended
