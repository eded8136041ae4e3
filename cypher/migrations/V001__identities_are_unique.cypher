// Every thing has one id, every entity one key, every account one person.
// Community can promise uniqueness, but neither existence nor types: those are `hippograph doctor`'s to check.

CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE m.id IS UNIQUE;
// A retried write names the same key and finds what the first try made (W1).
CREATE CONSTRAINT memory_idempotency_key IF NOT EXISTS FOR (m:Memory) REQUIRE m.idempotency_key IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE;
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (e:Entity) REQUIRE e.key IS UNIQUE;
CREATE CONSTRAINT person_id IF NOT EXISTS FOR (p:Person) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT person_user_id IF NOT EXISTS FOR (p:Person) REQUIRE p.user_id IS UNIQUE;
CREATE CONSTRAINT persona_id IF NOT EXISTS FOR (p:Persona) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT persona_name IF NOT EXISTS FOR (p:Persona) REQUIRE p.name IS UNIQUE;
CREATE CONSTRAINT chat_id IF NOT EXISTS FOR (c:Chat) REQUIRE c.id IS UNIQUE;
CREATE CONSTRAINT session_id IF NOT EXISTS FOR (s:Session) REQUIRE s.id IS UNIQUE;
// One open session for a chat and a persona: the property is there only while it is open.
CREATE CONSTRAINT session_open_key IF NOT EXISTS FOR (s:Session) REQUIRE s.open_key IS UNIQUE;
CREATE CONSTRAINT session_summary_id IF NOT EXISTS FOR (s:SessionSummary) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT rolling_summary_id IF NOT EXISTS FOR (s:RollingSummary) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT summary_spine_id IF NOT EXISTS FOR (s:SummarySpine) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT user_state_id IF NOT EXISTS FOR (s:UserState) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT block_id IF NOT EXISTS FOR (b:Block) REQUIRE b.id IS UNIQUE;
CREATE CONSTRAINT todo_id IF NOT EXISTS FOR (t:Todo) REQUIRE t.id IS UNIQUE;
CREATE CONSTRAINT participates_in_id IF NOT EXISTS FOR ()-[p:PARTICIPATES_IN]-() REQUIRE p.id IS UNIQUE;
// Which embedding model fills which slot of the vector indexes.
CREATE CONSTRAINT embedding_slot_name IF NOT EXISTS FOR (s:EmbeddingSlot) REQUIRE s.slot IS UNIQUE;
// What several writers must not do at once is done under the lock of that name.
CREATE CONSTRAINT lock_name IF NOT EXISTS FOR (l:Lock) REQUIRE l.name IS UNIQUE;
