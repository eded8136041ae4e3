// What listings, the hot path and the worker look for.

// A place in the chain: the last turn of a session up to a moment. Only turns have a number, so only they are in it.
CREATE INDEX memory_session_time IF NOT EXISTS FOR (m:Memory) ON (m.session_id, m.event_time, m.turn);
// Listings by scope, newest first, page by page.
CREATE INDEX memory_scope_time IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.event_time, m.id);
// The turns of one chat, whoever owns them.
CREATE INDEX memory_learned_in_time IF NOT EXISTS FOR (m:Memory) ON (m.learned_in, m.event_time, m.id);
// The queue of the slow path: what is due, oldest first.
CREATE INDEX pending_due IF NOT EXISTS FOR (m:Pending) ON (m.due_at);
CREATE INDEX failed_at IF NOT EXISTS FOR (m:Failed) ON (m.failed_at);
CREATE INDEX session_chat_started IF NOT EXISTS FOR (s:Session) ON (s.chat_id, s.persona_id, s.started_at);
// Open sessions by age, for the sweeper.
CREATE INDEX session_open_activity IF NOT EXISTS FOR (s:Session) ON (s.ended_at, s.last_activity_at);
CREATE INDEX entity_name IF NOT EXISTS FOR (e:Entity) ON (e.canonical_name);
// Who goes by a first name: of use only among the people of one chat.
CREATE INDEX person_called IF NOT EXISTS FOR (p:Person) ON (p.called);
