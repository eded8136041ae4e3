// Lets a version be recorded once only.
// params: -
// returns: -
// mode: write
CREATE CONSTRAINT migrations_version IF NOT EXISTS FOR (m:__Neo4jMigration) REQUIRE m.version IS UNIQUE
