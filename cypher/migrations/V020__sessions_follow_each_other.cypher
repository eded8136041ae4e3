// The last turn of a session leads to the first of the next of its chat and persona (M11).
MATCH (s:Session)
CALL (s) {
  CALL (s) {
    MATCH (other:Session) USING INDEX other:Session(chat_id, persona_id, started_at)
    WHERE other.chat_id = s.chat_id AND other.persona_id = s.persona_id AND other.started_at >= s.started_at
      AND (other.started_at > s.started_at OR other.id > s.id)
    RETURN other ORDER BY other.chat_id, other.persona_id, other.started_at, other.id LIMIT 1
  }
  CALL (s) {
    MATCH (last:Memory) USING INDEX last:Memory(session_id, event_time, turn)
    WHERE last.session_id = s.id AND last.event_time IS NOT NULL AND last.turn IS NOT NULL
    RETURN last ORDER BY last.session_id DESC, last.event_time DESC, last.turn DESC LIMIT 1
  }
  CALL (other) {
    MATCH (first:Memory) USING INDEX first:Memory(session_id, event_time, turn)
    WHERE first.session_id = other.id AND first.event_time IS NOT NULL AND first.turn IS NOT NULL
    RETURN first ORDER BY first.session_id, first.event_time, first.turn LIMIT 1
  }
  MERGE (last)-[r:TEMPORAL]->(first)
  ON CREATE SET r.created_at = CASE WHEN last.created_at > first.created_at THEN last.created_at ELSE first.created_at END,
                r.weight = 1.0, r.confidence = 1.0, r.valid_from = first.event_time,
                r.valid_until = datetime('9999-12-31T23:59:59Z'), r.predicate = 'next_session'
} IN TRANSACTIONS OF 1000 ROWS;
// The first stability goes by the emotion, where that is known and nobody recalled the memory yet (T1).
MATCH (m:Memory) WHERE m.emotion_intensity > 0.5 AND m.access_count = 0 AND m.stability = 1.0
CALL (m) {
  SET m.stability = CASE WHEN m.emotion_intensity > 0.7 THEN 10.0 ELSE 5.0 END
} IN TRANSACTIONS OF 10000 ROWS;
