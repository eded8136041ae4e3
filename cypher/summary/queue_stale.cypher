// Puts the entities whose summaries tell what is not believed, not so worded or more private by now on the queue for
// another.
// params: $limit, $now, $no_end
// returns: queued
// mode: write
MATCH (s:EntitySummary)-[:SUMMARIZES]->(e:Entity) WHERE s.retired_at = $no_end AND EXISTS {
  MATCH (s)-[:DERIVED_FROM]->(m:Memory)
  WHERE m.retired_at < $no_end OR m.expires_at <= $now OR m.valid_until <= $now OR m.status <> 'active'
    OR m.changed_at > s.created_at OR coalesce(m.outranked, false)
    OR m.sensitivity <> 'public' AND s.sensitivity = 'public' OR m.sensitivity = 'sensitive' AND s.sensitivity = 'personal'
}
AND NOT EXISTS { (waiting:EntityProfile {id: e.id + '|' + s.scope + '|' + s.persona_id}) }
WITH e, s ORDER BY e.id, s.scope, s.persona_id LIMIT $limit
// include: profile_queued(scope=s.scope, persona=s.persona_id, chat=s.chat_id)
RETURN count(profile) AS queued
