// The habits, frictions, promises and plans extracted from a session, each with its person, the turn that states it,
// and the words. Only what somebody said of themselves is included: that alone is theirs to do.
// params: $session, $no_end
// returns: id, turn, person, kind, frame, content, words, event_time, event_until, event_precision, persona, session
// mode: read
MATCH (turn:Memory) USING INDEX SEEK turn:Memory(session_id, event_time, turn)
WHERE turn.session_id = $session AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL
MATCH (turn)<-[from:DERIVED_FROM]-(m:Memory)
WHERE (m.fact_type IN ['habit', 'friction'] OR m.frame IN ['promise', 'plan']) AND m.retired_at = $no_end
MATCH (m)-[:ABOUT {primary: true}]->(p:Person) WHERE p.id = turn.speaker_id
RETURN DISTINCT m.id AS id, turn.id AS turn, p.id AS person, m.fact_type AS kind, m.frame AS frame, m.content AS content,
       coalesce(from.words, turn.content) AS words, m.event_time AS event_time, m.event_until AS event_until,
       m.event_precision AS event_precision, turn.persona_id AS persona, turn.session_id AS session
