// Queues the summaries that the turns of a session call for: of the session, once it has ended; of the talk of its
// scope, persona and space, when people said `$rolling_turns` turns since the last one; and of its owner, when they
// said `$spine_messages` in private and in no space since the last one.
// params: $id, $rolling_turns, $spine_messages, $now, $no_end
// returns: queued
// mode: write
MATCH (s:Session {id: $id})
MATCH (c:Chat {id: s.chat_id})
WITH s, c, CASE c.space_id WHEN '' THEN '' ELSE '|' + c.space_id END AS in_space
WITH s, c, [
  {line: 'rolling|' + c.scope + '|' + s.persona_id + in_space, kind: 'rolling', persona_id: s.persona_id, turns: $rolling_turns},
  {line: 'spine|' + c.scope + '|', kind: 'spine', persona_id: '', turns: $spine_messages}
] AS rhythms
CALL (s, c, rhythms) {
  UNWIND rhythms AS rhythm
  WITH s, c, rhythm WHERE rhythm.kind = 'rolling' OR c.kind = 'private' AND c.space_id = ''
  OPTIONAL MATCH (last:Summary) USING INDEX SEEK last:Summary(line, created_at)
  WHERE last.line = rhythm.line AND last.created_at IS NOT NULL AND last.retired_at = $no_end
  WITH s, c, rhythm, coalesce(max(last.until), datetime('0001-01-01T00:00:00Z')) AS until
  CALL (s, c, rhythm, until) {
    MATCH (m:Memory) USING INDEX SEEK m:Memory(scope, event_time, id)
    WHERE m.scope = c.scope AND m.event_time > until AND m.id IS NOT NULL
      AND m.turn IS NOT NULL AND m.source_role = 'user' AND m.space_id = c.space_id AND (rhythm.kind = 'spine' OR m.persona_id = s.persona_id)
    WITH m LIMIT 1000
    RETURN count(m) AS turns, max(m.event_time) AS latest
  }
  WITH * WHERE turns >= rhythm.turns
  RETURN collect({line: rhythm.line, kind: rhythm.kind, persona_id: rhythm.persona_id, scope: c.scope, session_id: '',
                  space_id: c.space_id,
                  until: latest,
                  chat_id: CASE c.kind WHEN 'group' THEN c.id ELSE '' END}) AS due
}
WITH due + CASE WHEN s.ended_at < $no_end THEN [{
  line: 'session|' + s.id, kind: 'session', scope: c.scope, persona_id: s.persona_id, session_id: s.id, space_id: c.space_id,
  until: s.last_activity_at,
  chat_id: CASE c.kind WHEN 'group' THEN c.id ELSE '' END
}] ELSE [] END AS requests
UNWIND requests AS request
// include: summary_queued
RETURN count(asked) AS queued
