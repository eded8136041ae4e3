// Creates an index, to find out whether the user may; the transaction is rolled back.
// params: -
// returns: -
// mode: write
CREATE INDEX preflight IF NOT EXISTS FOR (l:__Neo4jMigrationsLock) ON (l.until)
