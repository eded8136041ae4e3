// Requeues sessions in which the language model still has something to do: `$limit` of those that have ended and are
// neither queued nor failed, the longest waiting first. Pairs of turns that were left undecided are examined anew.
// params: $limit, $now, $no_end
// returns: queued
// mode: write
MATCH (s:Session {owes: true}) WHERE s.ended_at < $no_end AND NOT s:Pending AND NOT s:Failed
WITH s ORDER BY s.owed_at, s.id LIMIT $limit
WITH s, CASE WHEN 'facts' IN s.owed THEN 'facts' WHEN 'causes' IN s.owed THEN 'causes' ELSE 'conflicts' END AS use
ORDER BY s.id
CALL (s, use) {
  WITH s WHERE use = 'causes'
  MATCH (m:Memory) USING INDEX SEEK m:Memory(session_id, event_time, turn)
  WHERE m.session_id = s.id AND m.event_time IS NOT NULL AND m.turn IS NOT NULL
  MATCH (m)<-[link:TEMPORAL {undecided: true}]-(:Memory)
  REMOVE link.examined_at, link.undecided
}
WITH s, CASE use WHEN 'facts' THEN 'consolidate' WHEN 'causes' THEN 'infer_causes' ELSE 'find_conflicts' END AS job,
     use
// include: owed(session=s, use=use, open=false)
// include: session_queued(session=s, job=job, due_at=$now)
RETURN count(s) AS queued
