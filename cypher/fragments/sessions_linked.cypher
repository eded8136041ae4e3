// Links the session `s` with the previous and the next session of its chat and persona, when the new turn `m` has
// become its first or its last: the last turn of a session leads to the first of the next (M11). Sessions are ordered
// by their start. `before` and `after` are the neighbours of `m` in the session.
// expects: s, t, m, before, after
// params: $no_end
CALL (m, before, after) {
  WITH * WHERE before IS NOT NULL AND after IS NULL
  MATCH (before)-[across:TEMPORAL]->(following:Memory) WHERE following.session_id <> m.session_id
  DELETE across
  CREATE (m)-[:TEMPORAL {created_at: m.created_at, weight: 1.0, confidence: 1.0, valid_from: following.event_time,
                         valid_until: $no_end, predicate: 'next_session'}]->(following)
}
CALL (s, t, m, before, after) {
  WITH * WHERE before IS NULL
  MATCH (ending:Memory) USING INDEX SEEK ending:Memory(session_id, event_time, turn)
  WHERE ending.session_id = s.id AND ending.event_time IS NOT NULL AND ending.turn IS NOT NULL
  WITH s, t, m, after, ending ORDER BY ending.session_id DESC, ending.event_time DESC, ending.turn DESC LIMIT 1
  // A session that now begins earlier may move in the order, so its old neighbours are linked to each other.
  OPTIONAL MATCH (left:Memory)-[old_before:TEMPORAL]->(after) WHERE left.session_id <> s.id
  OPTIONAL MATCH (ending)-[old_after:TEMPORAL]->(right:Memory) WHERE right.session_id <> s.id
  FOREACH (r IN [each IN [old_before, old_after] WHERE each IS NOT NULL] | DELETE r)
  FOREACH (l IN [each IN [left] WHERE each IS NOT NULL AND right IS NOT NULL] |
    CREATE (l)-[:TEMPORAL {created_at: m.created_at, weight: 1.0, confidence: 1.0, valid_from: right.event_time,
                           valid_until: $no_end, predicate: 'next_session'}]->(right)
  )
  WITH s, t, m, ending
  OPTIONAL CALL (s, t) {
    MATCH (one:Session) USING INDEX SEEK one:Session(chat_id, persona_id, started_at)
    WHERE one.chat_id = s.chat_id AND one.persona_id = s.persona_id AND one.started_at <= t.event_time
      AND CASE one.started_at WHEN t.event_time THEN one.id < s.id ELSE true END AND one.id <> s.id
    WITH one ORDER BY one.chat_id DESC, one.persona_id DESC, one.started_at DESC, one.id DESC LIMIT 1
    MATCH (previous:Memory) USING INDEX SEEK previous:Memory(session_id, event_time, turn)
    WHERE previous.session_id = one.id AND previous.event_time IS NOT NULL AND previous.turn IS NOT NULL
    RETURN previous ORDER BY previous.session_id DESC, previous.event_time DESC, previous.turn DESC LIMIT 1
  }
  OPTIONAL CALL (s, t) {
    MATCH (other:Session) USING INDEX SEEK other:Session(chat_id, persona_id, started_at)
    WHERE other.chat_id = s.chat_id AND other.persona_id = s.persona_id AND other.started_at >= t.event_time
      AND CASE other.started_at WHEN t.event_time THEN other.id > s.id ELSE true END AND other.id <> s.id
    WITH other ORDER BY other.chat_id, other.persona_id, other.started_at, other.id LIMIT 1
    MATCH (next:Memory) USING INDEX SEEK next:Memory(session_id, event_time, turn)
    WHERE next.session_id = other.id AND next.event_time IS NOT NULL AND next.turn IS NOT NULL
    RETURN next ORDER BY next.session_id, next.event_time, next.turn LIMIT 1
  }
  OPTIONAL MATCH (previous)-[passed:TEMPORAL]->(next)
  FOREACH (r IN [each IN [passed] WHERE each IS NOT NULL] | DELETE r)
  FOREACH (p IN [each IN [previous] WHERE each IS NOT NULL] |
    CREATE (p)-[:TEMPORAL {created_at: m.created_at, weight: 1.0, confidence: 1.0, valid_from: t.event_time,
                           valid_until: $no_end, predicate: 'next_session'}]->(m)
  )
  FOREACH (n IN [each IN [next] WHERE each IS NOT NULL] |
    CREATE (ending)-[:TEMPORAL {created_at: m.created_at, weight: 1.0, confidence: 1.0, valid_from: n.event_time,
                                valid_until: $no_end, predicate: 'next_session'}]->(n)
  )
}
