// Queues entities for a new summary if a source of the present one is no longer believed, was reworded or has become
// more private.
// params: $limit, $now, $no_end
// returns: queued
// mode: write
MATCH (s:EntitySummary)-[:SUMMARIZES]->(e:Entity) WHERE s.retired_at = $no_end AND EXISTS {
  MATCH (s)-[:DERIVED_FROM]->(m:Memory) WHERE
  // include: stale_source
}
AND NOT EXISTS { (waiting:EntityProfile {id:
  // include: profile_id(scope=s.scope, persona=s.persona_id, space=s.space_id)
}) }
WITH e, s ORDER BY e.id, s.scope, s.persona_id, s.space_id LIMIT $limit
// include: profile_queued(scope=s.scope, persona=s.persona_id, chat=s.chat_id, space=s.space_id)
RETURN count(profile) AS queued
