// Facts: one live memory of a key, and what finds the memories of a key.

// The property is there only while the memory has no end: one of its scope, persona, key and authority (W5).
CREATE CONSTRAINT memory_live_key IF NOT EXISTS FOR (m:Memory) REQUIRE m.live_key IS UNIQUE;
CREATE CONSTRAINT version_id IF NOT EXISTS FOR (v:Version) REQUIRE v.id IS UNIQUE;
// What is said of one matter, in whatever scope and by whomever (W6).
CREATE INDEX memory_claim_scope IF NOT EXISTS FOR (m:Memory) ON (m.claim_key, m.scope);
