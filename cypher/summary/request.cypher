// The request of a summary that a worker holds. That of a session waits until its turns and the facts extracted from
// them have their vectors: it is requeued, due at `$later`, without a row.
// params: $id, $worker, $later
// returns: request
// mode: write
MATCH (asked:SummaryRequest {id: $id}) WHERE asked.worker = $worker
WITH asked, EXISTS {
  MATCH (turn:Memory) USING INDEX SEEK turn:Memory(session_id, event_time, turn)
  WHERE turn.session_id = asked.session_id AND turn.event_time IS NOT NULL AND turn.turn IS NOT NULL
  MATCH (turn)<-[:DERIVED_FROM]-(found:Pending) WHERE NOT found:Summary
} OR EXISTS {
  MATCH (turn:Pending {session_id: asked.session_id}) USING INDEX SEEK turn:Pending(session_id) WHERE turn:Memory
} AS early
FOREACH (waiting IN CASE WHEN early AND asked.kind = 'session' THEN [asked] ELSE [] END |
  SET waiting.due_at = $later, waiting.attempts = waiting.attempts - 1
  REMOVE waiting.worker
)
WITH asked WHERE asked.worker IS NOT NULL
OPTIONAL MATCH (:Session {id: asked.session_id})-[:IN_CHAT]->(c:Chat)
RETURN asked {.line, .kind, .scope, .persona_id, .chat_id, .session_id, .until, space_id: coalesce(c.space_id, asked.space_id)} AS request
