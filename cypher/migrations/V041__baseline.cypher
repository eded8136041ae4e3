// The schema: what is there once, and what listings, writes and workers look for. The indexes that depend on settings are
// declared at each start (`cypher/schema`). This one replaces the migrations 001 to 040.
// Community can promise uniqueness, but neither existence nor types: those are `hippograph doctor`'s to check.

// Whatever is looked for has one id.
CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE m.id IS UNIQUE;
CREATE CONSTRAINT version_id IF NOT EXISTS FOR (v:Version) REQUIRE v.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (e:Entity) REQUIRE e.id IS UNIQUE;
CREATE CONSTRAINT person_id IF NOT EXISTS FOR (p:Person) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT persona_id IF NOT EXISTS FOR (p:Persona) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT chat_id IF NOT EXISTS FOR (c:Chat) REQUIRE c.id IS UNIQUE;
CREATE CONSTRAINT session_id IF NOT EXISTS FOR (s:Session) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT space_id IF NOT EXISTS FOR (s:Space) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT session_summary_id IF NOT EXISTS FOR (s:SessionSummary) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT rolling_summary_id IF NOT EXISTS FOR (s:RollingSummary) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT summary_spine_id IF NOT EXISTS FOR (s:SummarySpine) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT user_state_id IF NOT EXISTS FOR (s:UserState) REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT block_id IF NOT EXISTS FOR (b:Block) REQUIRE b.id IS UNIQUE;
CREATE CONSTRAINT todo_id IF NOT EXISTS FOR (t:Todo) REQUIRE t.id IS UNIQUE;
CREATE CONSTRAINT use_id IF NOT EXISTS FOR (u:Use) REQUIRE u.id IS UNIQUE;
CREATE CONSTRAINT credential_id IF NOT EXISTS FOR (c:Credential) REQUIRE c.id IS UNIQUE;
CREATE CONSTRAINT erasure_id IF NOT EXISTS FOR (e:Erasure) REQUIRE e.id IS UNIQUE;
CREATE CONSTRAINT forgetting_id IF NOT EXISTS FOR (f:Forgetting) REQUIRE f.id IS UNIQUE;
CREATE CONSTRAINT purged_id IF NOT EXISTS FOR (p:Purged) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT graph_analysis_id IF NOT EXISTS FOR (a:GraphAnalysis) REQUIRE a.id IS UNIQUE;
CREATE CONSTRAINT scheduled_job_id IF NOT EXISTS FOR (j:ScheduledJob) REQUIRE j.id IS UNIQUE;
CREATE CONSTRAINT maintenance_run_id IF NOT EXISTS FOR (r:MaintenanceRun) REQUIRE r.id IS UNIQUE;
CREATE CONSTRAINT participates_in_id IF NOT EXISTS FOR ()-[p:PARTICIPATES_IN]-() REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT invited_to_id IF NOT EXISTS FOR ()-[i:INVITED_TO]-() REQUIRE i.id IS UNIQUE;
// What waits for a summary: an entity in one scope, a session, the talk of a scope and a persona, a person. It is an item
// of the queue, which is gone when the summary is made (T8).
CREATE CONSTRAINT entity_profile_id IF NOT EXISTS FOR (p:EntityProfile) REQUIRE p.id IS UNIQUE;
CREATE CONSTRAINT summary_request_id IF NOT EXISTS FOR (r:SummaryRequest) REQUIRE r.id IS UNIQUE;
// An entity that was merged into another stays as a tombstone: its id and key are not given again.
CREATE CONSTRAINT merged_id IF NOT EXISTS FOR (t:Merged) REQUIRE t.id IS UNIQUE;
CREATE CONSTRAINT merged_key IF NOT EXISTS FOR (t:Merged) REQUIRE t.key IS UNIQUE;
CREATE CONSTRAINT merge_id IF NOT EXISTS FOR ()-[r:MERGED_INTO]-() REQUIRE r.id IS UNIQUE;

// What else there is once.
CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (e:Entity) REQUIRE e.key IS UNIQUE;
CREATE CONSTRAINT person_user_id IF NOT EXISTS FOR (p:Person) REQUIRE p.user_id IS UNIQUE;
CREATE CONSTRAINT persona_name IF NOT EXISTS FOR (p:Persona) REQUIRE p.name IS UNIQUE;
CREATE CONSTRAINT space_name IF NOT EXISTS FOR (s:Space) REQUIRE s.name_key IS UNIQUE;
// A retried write names the same key and finds what the first try made (W1).
CREATE CONSTRAINT memory_idempotency_key IF NOT EXISTS FOR (m:Memory) REQUIRE m.idempotency_key IS UNIQUE;
// One live memory of a scope, persona, key and authority (W5): the property is gone when the memory ends.
CREATE CONSTRAINT memory_live_key IF NOT EXISTS FOR (m:Memory) REQUIRE m.live_key IS UNIQUE;
// One open session of a chat and a persona: the property is gone when the session is closed.
CREATE CONSTRAINT session_open_key IF NOT EXISTS FOR (s:Session) REQUIRE s.open_key IS UNIQUE;
// A caller's word for a session is one's own for each chat and persona.
CREATE CONSTRAINT session_word_key IF NOT EXISTS FOR (s:Session) REQUIRE s.word_key IS UNIQUE;
// One last value of a key, of a person and persona: the property is gone when another follows.
CREATE CONSTRAINT user_state_open_key IF NOT EXISTS FOR (s:UserState) REQUIRE s.open_key IS UNIQUE;
// One block of a name, of a person and a persona: the property is gone when the block is deleted.
CREATE CONSTRAINT block_key IF NOT EXISTS FOR (b:Block) REQUIRE b.key IS UNIQUE;
// What was found in a turn is one todo, however often the turn is read.
CREATE CONSTRAINT todo_key IF NOT EXISTS FOR (t:Todo) REQUIRE t.key IS UNIQUE;
// Which embedding model fills which slot of the vector indexes.
CREATE CONSTRAINT embedding_slot_name IF NOT EXISTS FOR (s:EmbeddingSlot) REQUIRE s.slot IS UNIQUE;
// How often a language model was asked.
CREATE CONSTRAINT model_use_name IF NOT EXISTS FOR (u:ModelUse) REQUIRE u.name IS UNIQUE;
// What several writers must not do at once is done under the lock of that name.
CREATE CONSTRAINT lock_name IF NOT EXISTS FOR (l:Lock) REQUIRE l.name IS UNIQUE;

// The last turn of a session up to a moment. Only turns have a number, so only they are in the index.
CREATE INDEX memory_session_time IF NOT EXISTS FOR (m:Memory) ON (m.session_id, m.event_time, m.turn);
// Listings of a scope, of a chat, whoever owns it, and of a space, newest first, page by page.
CREATE INDEX memory_scope_time IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.event_time, m.id);
CREATE INDEX memory_learned_in_time IF NOT EXISTS FOR (m:Memory) ON (m.learned_in, m.event_time, m.id);
CREATE INDEX memory_space IF NOT EXISTS FOR (m:Memory) ON (m.space_id, m.event_time, m.id);
// What always stands in a context: the pinned memories of a scope (R8).
CREATE INDEX memory_scope_pinned IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.pinned);
// Memories in the order of their recording, for the feed that subscriptions read.
CREATE INDEX memory_created IF NOT EXISTS FOR (m:Memory) ON (m.created_at, m.id);
// What is said of one matter and still holds at some moment: a long history is not walked for it (W5, W6).
CREATE INDEX memory_claim_end IF NOT EXISTS FOR (m:Memory) ON (m.claim_key, m.valid_until);
// The archive of a scope, the latest first (R12).
CREATE INDEX archived_scope_time IF NOT EXISTS FOR (m:Archived) ON (m.scope, m.archived_at, m.id);
// What is known about a person across all owners (R12), newest first, page by page.
CREATE INDEX about_person_time IF NOT EXISTS FOR ()-[r:ABOUT]-() ON (r.person_id, r.event_time, r.memory_id);

CREATE INDEX entity_name IF NOT EXISTS FOR (e:Entity) ON (e.canonical_name);
// Who goes by a first name: of use only among the people of one chat.
CREATE INDEX person_called IF NOT EXISTS FOR (p:Person) ON (p.called);

CREATE INDEX session_chat_started IF NOT EXISTS FOR (s:Session) ON (s.chat_id, s.persona_id, s.started_at);
// Open sessions by age, for the sweeper.
CREATE INDEX session_open_activity IF NOT EXISTS FOR (s:Session) ON (s.ended_at, s.last_activity_at);
// The property is there until the session is consolidated.
CREATE INDEX session_unconsolidated IF NOT EXISTS FOR (s:Session) ON (s.unconsolidated);
// Where a language model has still to do something.
CREATE INDEX session_owes IF NOT EXISTS FOR (s:Session) ON (s.owes);

// The queue: what is due of a job, what was given up, what of an owner or a group waits (P6), and whether turns of a
// session wait, however many turns it has.
CREATE INDEX pending_job IF NOT EXISTS FOR (n:Pending) ON (n.job, n.due_at);
CREATE INDEX failed_job IF NOT EXISTS FOR (n:Failed) ON (n.job, n.failed_at);
CREATE INDEX pending_scope IF NOT EXISTS FOR (item:Pending) ON (item.scope);
CREATE INDEX pending_session IF NOT EXISTS FOR (m:Pending) ON (m.session_id);
CREATE INDEX maintenance_run_started IF NOT EXISTS FOR (r:MaintenanceRun) ON (r.started_at, r.id);

// The versions of a summary, and the latest summary of a session of a scope and a persona.
CREATE INDEX summary_line IF NOT EXISTS FOR (s:Summary) ON (s.line, s.created_at);
CREATE INDEX session_summary_scope IF NOT EXISTS FOR (s:SessionSummary) ON (s.scope, s.persona_id, s.until, s.id);
CREATE INDEX todo_owner IF NOT EXISTS FOR (t:Todo) ON (t.person_id, t.persona_id, t.created_at, t.id);
CREATE INDEX block_owner IF NOT EXISTS FOR (b:Block) ON (b.person_id, b.persona_id, b.name);
// One key of one person and persona through time: what a value follows and precedes, and its history page by page.
CREATE INDEX user_state_line_time IF NOT EXISTS FOR (s:UserState) ON (s.line, s.valid_from, s.id);
// What of a person has not ended by a moment, and what was not known by a moment to have ended.
CREATE INDEX user_state_valid_until IF NOT EXISTS FOR (s:UserState) ON (s.person_id, s.valid_until);
CREATE INDEX user_state_ended_at IF NOT EXISTS FOR (s:UserState) ON (s.person_id, s.ended_at);

CREATE INDEX space_scope IF NOT EXISTS FOR (s:Space) ON (s.scope);
CREATE INDEX chat_space IF NOT EXISTS FOR (c:Chat) ON (c.space_id);
CREATE INDEX chat_moving IF NOT EXISTS FOR (c:Chat) ON (c.moving_from);
// What went into which answer is listed by whose assistant it was told, runs out by its time, and goes with a credential
// (W13).
CREATE INDEX use_person IF NOT EXISTS FOR (u:Use) ON (u.person_id, u.at, u.id);
CREATE INDEX use_at IF NOT EXISTS FOR (u:Use) ON (u.at);
CREATE INDEX use_credential IF NOT EXISTS FOR (u:Use) ON (u.credential);
CREATE INDEX forgetting_owner IF NOT EXISTS FOR (f:Forgetting) ON (f.person_id, f.requested_at, f.id);
// What an erasure left to be decided (M13).
CREATE INDEX undecided_erasure IF NOT EXISTS FOR (e:UndecidedErasure) ON (e.requested_at, e.id);
