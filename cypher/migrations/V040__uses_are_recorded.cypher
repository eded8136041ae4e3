// What went into which answer is listed by whose assistant it was told, runs out by its time, and goes with a credential (W13).
CREATE CONSTRAINT use_id IF NOT EXISTS FOR (u:Use) REQUIRE u.id IS UNIQUE;
CREATE INDEX use_person IF NOT EXISTS FOR (u:Use) ON (u.person_id, u.at, u.id);
CREATE INDEX use_at IF NOT EXISTS FOR (u:Use) ON (u.at);
CREATE INDEX use_credential IF NOT EXISTS FOR (u:Use) ON (u.credential);
