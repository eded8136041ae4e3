// Creates a node, to find out whether the user may; the transaction is rolled back.
// params: -
// returns: -
// mode: write
CREATE (:__Neo4jMigrationsLock {id: 'preflight'})
