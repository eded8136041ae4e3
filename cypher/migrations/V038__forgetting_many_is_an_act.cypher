// Forgetting many at once is an act with an id, listed by whose it is; what was purged is known again by a hash (W12, M13).
CREATE CONSTRAINT forgetting_id IF NOT EXISTS FOR (f:Forgetting) REQUIRE f.id IS UNIQUE;
CREATE CONSTRAINT purged_id IF NOT EXISTS FOR (p:Purged) REQUIRE p.id IS UNIQUE;
CREATE INDEX forgetting_owner IF NOT EXISTS FOR (f:Forgetting) ON (f.person_id, f.requested_at, f.id);
