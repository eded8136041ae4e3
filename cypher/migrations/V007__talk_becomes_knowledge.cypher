// What consolidation needs: when what a memory says was told, and which sessions are still to be worked out.

// Who took part in the chat then may hear of it in private (P2); what is derived or told anew is recorded later.
MATCH (m:Memory) WHERE m.learned_at IS NULL
CALL (m) { SET m.learned_at = m.created_at } IN TRANSACTIONS OF 10000 ROWS;
MATCH (s:Session) WHERE s.consolidated_at IS NULL
CALL (s) { SET s.unconsolidated = true } IN TRANSACTIONS OF 10000 ROWS;
// These properties are there only while a session waits, was given up, and until it is consolidated.
CREATE INDEX session_due IF NOT EXISTS FOR (s:Session) ON (s.due_at);
CREATE INDEX session_failed IF NOT EXISTS FOR (s:Session) ON (s.failed_at);
CREATE INDEX session_unconsolidated IF NOT EXISTS FOR (s:Session) ON (s.unconsolidated);
