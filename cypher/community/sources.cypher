// The memories that the communities of a scope and a persona are made of: those that have at least two entities and
// may be seen by all who may see the scope. Memories that end or expire are left out, since the communities would end
// with them. The viewer is the owner of the scope; in a group there is none, so that only what all members see is
// read.
// params: $group, $persona, $space_id, $scope
// returns: id, sensitivity
// mode: read

WITH 1 AS one
// include: viewpoint_of_scope(group=$group, persona=$persona, space=$space_id)
MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
WHERE m.scope = $scope AND m.event_time IS NOT NULL AND m.id IS NOT NULL
  AND NOT m:Summary AND m.expires_at.year = 9999 AND m.valid_until.year = 9999
  AND COUNT { MATCH (m)-[:ABOUT|MENTIONS]->(e:Entity) RETURN DISTINCT e } > 1
// include: visible
RETURN m.id AS id, m.sensitivity AS sensitivity ORDER BY id
