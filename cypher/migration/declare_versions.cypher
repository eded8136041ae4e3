// Ensures that each version is recorded only once.
// params: -
// returns: -
// mode: write
CREATE CONSTRAINT migrations_version IF NOT EXISTS FOR (m:__Neo4jMigration) REQUIRE m.version IS UNIQUE
