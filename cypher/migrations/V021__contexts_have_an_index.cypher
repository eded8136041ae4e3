// What always stands in a context: the pinned memories of a scope (R8).
CREATE INDEX memory_scope_pinned IF NOT EXISTS FOR (m:Memory) ON (m.scope, m.pinned);
// Entities that wait for a summary in one scope; a queue item each, which is gone when that is made (T8).
CREATE CONSTRAINT entity_profile_id IF NOT EXISTS FOR (p:EntityProfile) REQUIRE p.id IS UNIQUE;
