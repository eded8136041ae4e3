// Changes or removes the end of facts whose end is known already. Each is retired and stored anew with its new end, so
// that reads of an earlier time find the old one (M14). Facts without an end are the live ones of their keys again.
// Copies shared with groups are retired.
// params: $rows, $now, $no_end
// returns: id
// mode: write
UNWIND $rows AS row
MATCH (old:Memory {id: row.id})
SET old.retired_at = $now, old.retired_by = 'corrected'
REMOVE old.live_key
WITH row, old,
// include: live_key(m=old, claim=old.claim_key)
AS shared_key
CREATE (m:Memory:$(labels(old)))
SET m = old {.*, id: row.new_id, idempotency_key: null, created_at: $now, retired_at: $no_end, retired_by: null,
             valid_until: row.valid_until, ended_at: CASE WHEN row.valid_until < $no_end THEN $now ELSE $no_end END,
             live_key: CASE WHEN row.valid_until < $no_end THEN null
                            WHEN EXISTS { (:Memory {live_key: shared_key}) } THEN shared_key + '|' + row.new_id
                            ELSE shared_key END}
CREATE (m)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                         valid_from: $now, valid_until: $no_end}]->(old)
WITH old, m
// include: copy_links
// include: transfer_relation_evidence
// include: copy_mentions_and_parts
// include: copy_to_about
WITH old, m.id AS id
WITH old AS m, id
// include: copy_to_about
// include: relation_times
WITH m, id, [m] AS originals
// include: taken_back(chat=null, act='')
RETURN id
