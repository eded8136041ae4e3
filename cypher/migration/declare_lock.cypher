// Ensures that there is only one lock of the migrations.
// params: -
// returns: -
// mode: write
CREATE CONSTRAINT migrations_lock IF NOT EXISTS FOR (l:__Neo4jMigrationsLock) REQUIRE l.id IS UNIQUE
