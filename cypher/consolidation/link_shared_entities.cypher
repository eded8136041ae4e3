// Links the memories of a session to earlier ones that share an entity: each to the last two that name the entity,
// among the latest `$window` of the scope. These limits bound the work, however popular the entity.
// params: $id, $scope, $window, $now, $no_end
// returns: -
// mode: write
MATCH (s:Session {id: $id})
MATCH (w:Memory) USING INDEX SEEK w:Memory(scope, event_time, id)
WHERE w.scope = $scope AND w.event_time <= s.last_activity_at AND w.id IS NOT NULL
WITH s, w ORDER BY w.scope DESC, w.event_time DESC, w.id DESC LIMIT $window
WITH s, w WHERE w.retired_at = $no_end
MATCH (w)-[:ABOUT|MENTIONS]->(e:Entity)
WITH DISTINCT s, e, w ORDER BY w.event_time, w.id
WITH s, e, collect(w) AS line WHERE size(line) > 1
UNWIND range(1, size(line) - 1) AS place
WITH e, line[place] AS m, line[CASE WHEN place < 2 THEN 0 ELSE place - 2 END..place] AS before, s
WHERE m.session_id = s.id OR EXISTS { (m)-[:DERIVED_FROM]->(:Memory {session_id: s.id}) }
UNWIND before AS earlier
MERGE (m)-[r:ENTITY]->(earlier)
ON CREATE SET r.created_at = $now, r.weight = 0.0, r.confidence = 1.0, r.valid_from = $now, r.valid_until = $no_end,
              r.evidence = []
SET r.evidence = CASE WHEN e.id IN r.evidence THEN r.evidence ELSE r.evidence + e.id END
SET r.weight = toFloat(size(r.evidence))
