// One block of a name for a person and a persona: the property is gone when the block is deleted.
CREATE CONSTRAINT block_key IF NOT EXISTS FOR (b:Block) REQUIRE b.key IS UNIQUE;
CREATE INDEX block_owner IF NOT EXISTS FOR (b:Block) ON (b.person_id, b.persona_id, b.name);
// What waits for a summary, of a session, of the talk of a scope and a persona, or of all that is known of a person; a
// queue item each, which is gone when that is made.
CREATE CONSTRAINT summary_request_id IF NOT EXISTS FOR (r:SummaryRequest) REQUIRE r.id IS UNIQUE;
// The versions of a summary.
CREATE INDEX summary_line IF NOT EXISTS FOR (s:Summary) ON (s.line, s.created_at);
// The latest summary of a session of a scope and a persona.
CREATE INDEX session_summary_scope IF NOT EXISTS FOR (s:SessionSummary) ON (s.scope, s.persona_id, s.until, s.id);
// What was found in a turn is one todo, however often the turn is read.
CREATE CONSTRAINT todo_key IF NOT EXISTS FOR (t:Todo) REQUIRE t.key IS UNIQUE;
CREATE INDEX todo_owner IF NOT EXISTS FOR (t:Todo) ON (t.person_id, t.persona_id, t.created_at, t.id);
// Each summary has one label that says so: the rule shows it to whoever may see all that it is made of.
MATCH (s:EntitySummary) WHERE NOT s:Summary
CALL (s) {
  SET s:Summary
} IN TRANSACTIONS OF 10000 ROWS;
