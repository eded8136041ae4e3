// The traits of memories that the ranking profiles use, as far as the viewer may see the memories (R5). Ages are in
// days, up to the times of the read. The use of a memory counts for its owner alone (T5): others get the values with
// which it was created.
// params: $ids
// returns: id, importance, stability, emotion, score, idle, since_hit, age, entities
// mode: read

// include: viewpoint_of_request
UNWIND $ids AS id
MATCH (m:Memory {id: id})
// include: visible
// include: effective_importance
// include: own_score
WITH m, weight, own_score, own_hit_at
// include: own_recall
WITH *, $known_at.epochMillis AS known, $as_of.epochMillis AS then, 86400000.0 AS day
RETURN m.id AS id, weight AS importance, own_stability AS stability, m.emotion_intensity AS emotion, own_score AS score,
       (known - own_recall_at.epochMillis) / day AS idle,
       (known - own_hit_at.epochMillis) / day AS since_hit,
       (then - m.event_time.epochMillis) / day AS age,
       COLLECT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e.key } AS entities
