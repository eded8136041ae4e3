// Ends facts that later ones replace, when these begin (W6, M14). Both are checked again under their locks, since
// somebody may have changed them. Copies that were shared with groups are retired.
// params: $rows, $now, $no_end
// returns: id
// mode: write
UNWIND $rows AS row
UNWIND [row.id, row.earlier] AS id
MATCH (both:Memory {id: id})
WITH row, both ORDER BY both.id
SET both.lock = $now
WITH row, count(both) AS locked
MATCH (later:Memory {id: row.id}) USING INDEX SEEK later:Memory(id) WHERE later.live_key IS NOT NULL AND later.retired_at > $now
MATCH (m:Memory {id: row.earlier}) USING INDEX SEEK m:Memory(id) WHERE m.live_key IS NOT NULL AND m.retired_at > $now
SET m.valid_until = CASE WHEN later.valid_from > m.valid_from THEN later.valid_from ELSE m.valid_from END, m.ended_at = $now,
    m.outranked = coalesce(m.outranked, false)
REMOVE m.live_key
CREATE (later)-[:SUPERSEDES {created_at: $now, weight: 1.0, confidence: 1.0, outranks: false,
                             valid_from: $now, valid_until: $no_end}]->(m)
WITH m
// include: copy_to_about
// include: relation_times
WITH m.id AS id, [m] AS originals
// include: taken_back(chat=null, act='')
RETURN id
