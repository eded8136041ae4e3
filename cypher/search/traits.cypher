// What the ranking profiles know of memories, as far as the viewer may see them (R5): days count up to the times of the
// read.
// params: $ids
// returns: id, importance, stability, score, idle, since_hit, age, entities
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id})
// include: visible
// include: effective_importance
WITH m, weight, $known_at.epochMillis AS known, $as_of.epochMillis AS then, 86400000.0 AS day
RETURN m.id AS id, weight AS importance, m.stability AS stability, m.score AS score,
       (known - coalesce(m.last_accessed_at, m.created_at).epochMillis) / day AS idle,
       (known - coalesce(m.last_hit_at, m.created_at).epochMillis) / day AS since_hit,
       (then - m.event_time.epochMillis) / day AS age,
       COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.key } AS entities
