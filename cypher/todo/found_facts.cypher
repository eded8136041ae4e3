// The habits and frictions that were found in a session, each with whose it is.
// params: $session, $no_end
// returns: source, person, kind, content, persona, session
// mode: read
MATCH (turn:Memory) USING INDEX turn:Memory(session_id, event_time, turn)
WHERE turn.session_id = $session AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL
MATCH (turn)<-[:DERIVED_FROM]-(m:Memory)
WHERE m.fact_type IN ['habit', 'friction'] AND m.retired_at = $no_end
MATCH (m)-[:ABOUT {primary: true}]->(p:Person) WHERE p.id = turn.speaker_id
RETURN DISTINCT m.id AS source, p.id AS person, m.fact_type AS kind, m.content AS content, turn.persona_id AS persona,
       turn.session_id AS session
